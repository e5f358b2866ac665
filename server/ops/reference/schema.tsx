import { limitsOf, objectsIn, type Schema, typeOf } from "./document";

/** Text in which backticks mark code. */
export function Prose({ text }: { text: string }) {
  return (
    <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}

/** The members of an object. The members of nested objects are hidden until the reader opens them. */
export function Members({ schema }: { schema: Schema }) {
  return (
    <>
      {objectsIn(schema).map((object, index) => (
        <ul key={index} class="members">
          {Object.entries(object.properties ?? {}).map(([name, member]) => (
            <Member
              key={name}
              name={name}
              schema={member}
              isRequired={object.required?.includes(name) ?? false}
            />
          ))}
          {typeof object.additionalProperties === "object" && (
            <Member name="any other key" schema={object.additionalProperties} isRequired={false} />
          )}
        </ul>
      ))}
    </>
  );
}

function Member({ name, schema, isRequired }: { name: string; schema: Schema; isRequired: boolean }) {
  const limits = limitsOf(schema);
  return (
    <li>
      <code class="name">{name}</code> <span class="type">{typeOf(schema)}</span>
      {isRequired && <span class="badge">required</span>}
      {schema.description !== undefined && (
        <p>
          <Prose text={schema.description} />
        </p>
      )}
      {limits.length > 0 && (
        <p class="limits">
          <Prose text={limits.join("; ")} />
        </p>
      )}
      {objectsIn(schema).length > 0 && (
        <details>
          <summary>Members of {name}</summary>
          <Members schema={schema} />
        </details>
      )}
    </li>
  );
}
