import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Description, type Group, groupsOf, matches } from "./document";
import { OperationView } from "./operation";
import { Prose } from "./schema";

/** The API reference: an OpenAPI document with a form for each operation. */

interface Development {
  token?: string;
  team?: string;
}

/** True if the page shows the control plane's document instead of the API's. */
const isOfControl = new URLSearchParams(location.search).get("of") === "control";
const address = isOfControl ? "/openapi-control.json" : "/openapi.json";

const ask = async <T,>(path: string): Promise<T> => (await fetch(path)).json();
const operationInAddress = (): string => decodeURIComponent(location.hash.slice(1));

function App() {
  const [description, setDescription] = useState<Description>();
  const [problem, setProblem] = useState(false);
  const [token, setToken] = useState("");
  const [team, setTeam] = useState("");
  const [search, setSearch] = useState("");
  const [open, setOpen] = useState(() => new Set([operationInAddress()]));
  useEffect(() => {
    const load = async (): Promise<void> => {
      const development = await ask<Development>("/docs/development");
      setTeam(development.team ?? "");
      if (!isOfControl) setToken(development.token ?? "");
      setDescription(await ask<Description>(address));
    };
    load().catch(() => setProblem(true));
    const followed = (): void => setOpen((before) => new Set([...before, operationInAddress()]));
    addEventListener("hashchange", followed);
    return () => removeEventListener("hashchange", followed);
  }, []);
  useEffect(() => {
    if (description) document.getElementById(operationInAddress())?.scrollIntoView();
  }, [description]);
  const toggle = (id: string): void => {
    const next = new Set(open);
    if (!next.delete(id)) {
      next.add(id);
      history.replaceState(null, "", `#${id}`);
    }
    setOpen(next);
  };
  const groups = description ? groupsOf(description) : [];
  const found = groups
    .map(({ tag, operations }) => ({
      tag,
      operations: operations.filter((one) => matches(one, search.trim())),
    }))
    .filter(({ operations }) => operations.length > 0);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Top />
      <div class="body">
        <Contents groups={found} />
        <main id="content" tabIndex={-1}>
          <h1>{description?.info.title ?? "API reference"}</h1>
          {problem && (
            <p class="problem" role="alert">
              The document could not be loaded. Check that the server runs, and reload this page.
            </p>
          )}
          {description && (
            <>
              <p class="lead">
                <Prose text={description.info.description} />
              </p>
              <p>
                Version {description.info.version} · <a href={address}>{address.slice(1)}</a>
              </p>
              <div class="tools settings">
                <Search value={search} onChange={setSearch} />
                <label>
                  {isOfControl ? "Control token" : "Access token"}
                  <input
                    autocomplete="off"
                    value={token}
                    onInput={({ currentTarget }) => setToken(currentTarget.value)}
                  />
                </label>
              </div>
              {found.length === 0 && <p class="empty">No operation matches.</p>}
              {found.map(({ tag, operations }) => (
                <section key={tag} aria-labelledby={idOfTag(tag)}>
                  <h2 id={idOfTag(tag)}>{tag}</h2>
                  {operations.map((operation) => (
                    <OperationView
                      key={operation.id}
                      operation={operation}
                      isOpen={open.has(operation.id)}
                      onToggle={() => toggle(operation.id)}
                      token={token}
                      team={team}
                    />
                  ))}
                </section>
              ))}
            </>
          )}
        </main>
      </div>
    </>
  );
}

function Top() {
  return (
    <header class="top">
      <a class="brand" href="/">
        <img src="/docs/icon.svg" width="22" height="22" alt="" /> Slipway
      </a>
      <nav aria-label="Documents" class="documents">
        {(
          [
            ["API", "/docs", !isOfControl],
            ["Control plane", "/docs?of=control", isOfControl],
          ] as const
        ).map(([label, href, isShown]) => (
          <a key={href} href={href} aria-current={isShown ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <span class="fill" />
      <a href="/">Back to the dashboard</a>
    </header>
  );
}

function Contents({ groups }: { groups: Group[] }) {
  return (
    <nav class="places" aria-label="Operations by subject">
      <ul>
        {groups.map(({ tag, operations }) => (
          <li key={tag}>
            <a href={`#${idOfTag(tag)}`}>
              {tag} <span class="count">{operations.length}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const idOfTag = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(" ", "-")}`;

function Search({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const { tagName } = event.target as HTMLElement;
      if (event.key !== "/" || /^(INPUT|TEXTAREA|SELECT)$/.test(tagName)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  return (
    <label>
      Search
      <input
        ref={input}
        type="search"
        aria-keyshortcuts="/"
        placeholder="Method, path or summary"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

// The theme that was chosen on the dashboard (`theme.tsx`).
document.documentElement.style.colorScheme = localStorage.getItem("slipway-theme") ?? "";

const root = document.getElementById("app");
if (root) render(<App />, root);
