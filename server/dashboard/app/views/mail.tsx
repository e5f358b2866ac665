import type { MailItem, Page } from "../../wire";
import { useView } from "../api";
import { Badge, Empty, Heading, Pager, Problem, Time, usePage } from "../parts";

export function MailView() {
  const [until, setUntil] = usePage("");
  const { data, error } = useView<Page<MailItem>>("mail", { until });
  return (
    <>
      <Heading title="Mail" count={data?.total} />
      <Problem text={error} />
      {data?.items.length === 0 && <Empty>The service wrote to nobody yet.</Empty>}
      <div class="cards">
        {data?.items.map((mail) => (
          <article key={mail.id} class="card">
            <div class="heading">
              <h2>{mail.subject}</h2>
              <span class="fill" />
              {mail.sentAt === null ? <Badge>kept here</Badge> : <Badge tone="good">sent</Badge>}
            </div>
            <p class="facts">
              to {mail.to} <Time at={mail.createdAt} />
            </p>
            <p class="letter">{mail.body}</p>
          </article>
        ))}
      </div>
      {data && (
        <Pager
          next={data.next}
          isFirst={until === undefined}
          shown={data.items.length}
          total={data.total}
          onNext={setUntil}
          onFirst={() => setUntil(undefined)}
        />
      )}
    </>
  );
}
