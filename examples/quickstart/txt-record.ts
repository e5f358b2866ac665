import * as pulumi from "@pulumi/pulumi";

interface TxtRecordInputs {
  name: string;
  values: string[];
}

/**
 * The TXT records of a name, in the zone of the bundled server. In your program, use the record resource of your DNS
 * provider. The token is read from the environment when it is needed, so that the state does not contain it.
 */
export class TxtRecord extends pulumi.dynamic.Resource {
  constructor(
    name: string,
    args: { name: pulumi.Input<string>; values: pulumi.Input<pulumi.Input<string>[]> },
    options?: pulumi.CustomResourceOptions,
  ) {
    super(provider, name, args, options);
  }
}

const provider: pulumi.dynamic.ResourceProvider<TxtRecordInputs, TxtRecordInputs> = {
  async diff(_id, before, { name, values }) {
    const renamed = before.name !== name;
    return { changes: renamed || `${before.values}` !== `${values}`, replaces: renamed ? ["name"] : [] };
  },
  async create({ name, values }) {
    await put(name, values);
    return { id: name, outs: { name, values } };
  },
  async update(_id, _before, { name, values }) {
    await put(name, values);
    return { outs: { name, values } };
  },
  async delete(name) {
    await zone("DELETE", name);
  },
};

/** A domain that is already verified has no challenge to publish. */
async function put(name: string, values: string[]) {
  await (values.length > 0 ? zone("PUT", name, { type: "TXT", values }) : zone("DELETE", name));
}

async function zone(method: string, name: string, body?: object) {
  const { SLIPWAY_API_URL: url = "http://127.0.0.1:4000", SLIPWAY_CONTROL_TOKEN: token } = process.env;
  if (!token) {
    throw new Error(
      "SLIPWAY_CONTROL_TOKEN is missing, which opens the DNS zone of a Slipway server (npm run up sets it). " +
        "On the hosted API, use the record resource of your DNS provider in place of TxtRecord.",
    );
  }
  const response = await fetch(`${url}/_control/dns/${name}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${name}: the DNS zone answered ${response.status}.`);
}
