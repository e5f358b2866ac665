import type { DnsRecord, DomainItem } from "../../wire";
import { useAct, useShared } from "../context";
import { List } from "../list";
import { Badge, Copy } from "../parts";

export function DomainsView() {
  const { account } = useShared();
  return (
    <List<DomainItem>
      title="Domains"
      view="domains"
      filter={{ account }}
      search="Search domains"
      empty={(search) =>
        search === ""
          ? "No domains yet. Declare a ProjectDomain, or add one with POST /v10/projects/{project}/domains."
          : "No domain matches."
      }
    >
      {(domains) => <DomainTable domains={domains} />}
    </List>
  );
}

/** @param isOfOne true if all domains belong to one project. The project's column is then left out */
export function DomainTable({ domains, isOfOne = false }: { domains: DomainItem[]; isOfOne?: boolean }) {
  return (
    <table>
      <caption class="hidden">Domains and their verification</caption>
      <thead>
        <tr>
          <th scope="col">Domain</th>
          {!isOfOne && <th scope="col">Project</th>}
          <th scope="col">Serves</th>
          <th scope="col">Verification</th>
        </tr>
      </thead>
      <tbody>
        {domains.map((domain) => (
          <tr key={`${domain.projectId}/${domain.name}`}>
            <th scope="row">{domain.name}</th>
            {!isOfOne && (
              <td data-label="Project">
                <a href={`#/projects/${domain.projectId}`}>{domain.project}</a>
              </td>
            )}
            <td data-label="Serves">
              <Serves domain={domain} />
            </td>
            <td data-label="Verification">
              {domain.verified ? <Badge tone="good">verified</Badge> : <Unverified domain={domain} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Serves({ domain }: { domain: DomainItem }) {
  if (domain.redirect !== null) {
    return (
      <>
        redirect {domain.redirectStatusCode ?? 307} to <b>{domain.redirect}</b>
      </>
    );
  }
  if (domain.gitBranch !== null) return <>branch {domain.gitBranch}</>;
  return <>{domain.environment ?? "production"}</>;
}

function Unverified({ domain }: { domain: DomainItem }) {
  const { account } = useShared();
  const run = useAct();
  const { projectId: project, name } = domain;
  return (
    <div class="stack">
      <span class="line">
        <Badge tone="wait">unverified</Badge>
        <button
          type="button"
          aria-label={`Verify ${name}`}
          onClick={() => void run("verify", { account, project, domain: name }, `${name} is verified.`)}
        >
          Verify
        </button>
      </span>
      <details>
        <summary>TXT record to set</summary>
        {domain.records.map((record) => (
          <RecordToSet key={record.value} record={record} />
        ))}
      </details>
    </div>
  );
}

function RecordToSet({ record }: { record: DnsRecord }) {
  const run = useAct();
  const { name, value } = record;
  return (
    <dl class="record">
      <dt>Type</dt>
      <dd>{record.type}</dd>
      <dt>Name</dt>
      <dd>
        <code>{name}</code> <Copy text={name} label={`the name ${name}`} />
      </dd>
      <dt>Value</dt>
      <dd>
        <code>{value}</code> <Copy text={value} label={`the value for ${name}`} />
      </dd>
      <dt>Zone</dt>
      <dd>
        {record.published ? (
          <Badge tone="good">published</Badge>
        ) : (
          <button
            type="button"
            onClick={() => void run("publish-record", { name, value }, `${name} is published.`)}
          >
            Publish in the embedded zone
          </button>
        )}
      </dd>
    </dl>
  );
}
