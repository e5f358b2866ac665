import type { MailItem } from "../../wire";
import { List } from "../list";
import { Badge, Time } from "../parts";

export function MailView() {
  return (
    <List<MailItem>
      title="Mail"
      view="mail"
      filter={{}}
      empty={() =>
        "No mail sent yet. The service writes when an integration asks for more scopes, for instance."
      }
    >
      {(letters) => (
        <div class="cards">
          {letters.map((mail) => (
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
      )}
    </List>
  );
}
