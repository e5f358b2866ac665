import { webhook } from "../../../provider/resources/webhook";
import { projects } from "../fields/common";
import { existing, life, type Row, type Subject } from "../subject";

const noEdit: Row["drift"] = "no request of the API edits a webhook";

const hook = { url: "http://127.0.0.1:9/events", events: ["project.created"] };

export const subject: Subject = {
  resource: webhook,
  handler: "webhook",
  async prepare(w) {
    return {
      given: hook,
      known: await projects(w),
    };
  },
  look: (w, id) => w.curl("GET", `/v1/webhooks/${id}`),
  all: (w) => w.curl("GET", "/v1/webhooks"),
  listed: {
    query: {},
    names: ["https://example.com/hook"],
    prepare: existing("/v1/webhooks", { url: "https://example.com/hook", events: ["project.created"] }),
  },
  rows: [
    {
      path: "url",
      first: "http://127.0.0.1:9/events",
      second: "http://127.0.0.1:9/others",
      changed: "replace",
      cleared: /^url is missing/,
      shown: (url) => ({ url }),
      drift: noEdit,
    },
    {
      path: "events",
      first: ["project.created", "project.removed"],
      second: ["project.created"],
      changed: "replace",
      cleared: /^events is missing/,
      shown: (events) => ({ events }),
      drift: noEdit,
    },
    {
      path: "projectIds",
      first: ["@web"],
      second: ["@other", "@web"],
      changed: "replace",
      cleared: "replace",
      shown: (projectIds = null) => ({ projectIds }),
      drift: noEdit,
    },
  ],
  operations: [
    ...life(
      webhook,
      () => hook,
      () => ({ ...hook, events: ["project.removed"] }),
    ).map((operation) => ({ ...operation, nameless: true as const })),
  ],
};
