import { useApiRequest } from "../../connection/use-request.js";
import { Badge, Facts, LinkButton, Panel, RequestNote, ViewHead } from "../../design/index.js";
import { linkToPerson } from "../../navigation/routes.js";
import { ContactActions } from "../actions/contact-actions.jsx";
import { ApiRequestLine } from "../api-request-line.jsx";
import { NoRecord } from "./no-record.jsx";
import { FiresPanel } from "./fires-panel.jsx";
import { IsoTime } from "../../domain/time.jsx";
import { linkToService } from "../links.js";
import { MessagesPanel } from "../lists/messages-list.jsx";
import { RunsPanel } from "../lists/runs-list.jsx";
import { phoneOf } from "../urns.js";
import type { RecordOf } from "../../../protocol/index.js";
import { StatusBadge } from "../status-badge.jsx";

/** One contact: fields, groups, runs, messages, and campaign fires. */
export function ContactPage({ uuid }: { readonly uuid: string }) {
  const path = `contacts.json?uuid=${encodeURIComponent(uuid)}` as const;
  const request = useApiRequest(path, { every: 3000 });
  const contact = request.data?.results[0];
  const back = { href: linkToService("contacts"), label: "Contacts" };
  if (contact === undefined)
    return (
      <NoRecord
        noun="contact"
        request={request}
        icon="person"
        back={back}
        reason="It was deleted, or the link is of another lab."
      />
    );
  const phone = phoneOf(contact.urns);
  const encoded = encodeURIComponent(contact.uuid);
  return (
    <>
      <ViewHead
        title={contact.name ?? phone ?? "Contact without a name"}
        about={contact.urns.join(", ")}
        back={back}
        actions={
          <>
            {phone !== undefined && (
              <LinkButton href={linkToPerson(phone)} icon="phone">
                Their phone
              </LinkButton>
            )}
            <ContactActions contact={contact} onDone={request.reload} />
          </>
        }
      />
      <RequestNote request={request} />
      <div class="service-columns design-grid">
        <Panel title="Contact">
          <Facts
            facts={[
              ["Status", <ContactStatus key="status" status={contact.status ?? "deleted"} />],
              ["Language", contact.language ?? "not set"],
              ["In flow", contact.flow === null ? "none" : flowLink(contact.flow)],
              [
                "Groups",
                contact.groups.length === 0 ? (
                  "none"
                ) : (
                  <span class="design-row">
                    {contact.groups.map((group) => (
                      <Badge key={group.uuid} icon="group">
                        <a href={linkToService("contacts", undefined, { group: group.uuid })}>{group.name}</a>
                      </Badge>
                    ))}
                  </span>
                ),
              ],
              ["Last seen", <IsoTime key="seen" iso={contact.last_seen_on} show="moment" />],
              ["Created", <IsoTime key="created" iso={contact.created_on} show="moment" />],
            ]}
          />
          <div class="service-request-alone">
            <ApiRequestLine path={path} />
          </div>
        </Panel>
        <Panel title="Fields">
          <FieldFacts fields={contact.fields} />
        </Panel>
      </div>
      <RunsPanel title="Runs" path={`runs.json?paths=false&contact=${encoded}`} hasContact={false} />
      <FiresPanel of={{ contact: contact.uuid }} />
      <MessagesPanel title="Messages" path={`messages.json?contact=${encoded}`} hasContact={false} />
    </>
  );
}

function ContactStatus({ status }: { readonly status: string }) {
  return status === "active" ? (
    <Badge tone="good" icon="check">
      Active
    </Badge>
  ) : (
    <StatusBadge status={status} />
  );
}

function flowLink({ uuid, name }: NonNullable<RecordOf<"contacts">["flow"]>) {
  return <a href={linkToService("flows", uuid)}>{name}</a>;
}

function FieldFacts({ fields }: Pick<RecordOf<"contacts">, "fields">) {
  const entries = Object.entries(fields);
  const set = entries.filter(([, value]) => value !== null);
  if (set.length === 0) return <p class="design-muted">No field of this contact has a value.</p>;
  return (
    <>
      <Facts facts={set} />
      {set.length < entries.length && (
        <p class="design-muted service-after">{entries.length - set.length} more fields have no value.</p>
      )}
    </>
  );
}
