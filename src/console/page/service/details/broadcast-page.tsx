import { useApiRequest } from "../../connection/use-request.js";
import { Facts, Panel, ViewHead } from "../../design/index.js";
import { formatCount, formatCounted } from "../../format/index.js";
import { IsoTime } from "../../domain/time.jsx";
import { linkToService } from "../links.js";
import { progressOf } from "../lists/broadcasts-list.jsx";
import { MessagesPanel } from "../lists/messages-list.jsx";
import type { RecordOf } from "../../../protocol/index.js";
import { NoRecord } from "./no-record.jsx";
import { smsLength } from "../segments.js";
import { BroadcastBadge } from "../status-badge.jsx";
import { useBroadcastMessages } from "../use-broadcast-messages.js";

/** One broadcast and its messages, with their states. */
export function BroadcastPage({ id }: { readonly id: string }) {
  const request = useApiRequest(`broadcasts.json?id=${encodeURIComponent(id)}`, { every: 2000 });
  const reached = useBroadcastMessages([Number(id)]).get(Number(id));
  const broadcast = request.data?.results[0];
  const back = { href: linkToService("broadcasts"), label: "Broadcasts" };
  if (broadcast === undefined) return <NoRecord noun="broadcast" request={request} icon="send" back={back} />;
  const languages = Object.entries(broadcast.text);
  const { progress } = broadcast;
  return (
    <>
      <ViewHead title={`Broadcast ${broadcast.id}`} back={back} />
      <Panel title="Text">
        <div class="design-stack">
          {languages.map(([language, text]) => (
            <blockquote key={language} class="service-text">
              {languages.length > 1 && <span class="design-muted">{language}: </span>}
              {text}
              <span class="service-text-length design-muted">
                {formatCounted(smsLength(text).characters, "character")},{" "}
                {formatCounted(smsLength(text).segments, "text message")}
              </span>
            </blockquote>
          ))}
          <Facts
            facts={[
              ["Status", <BroadcastBadge key="status" status={broadcast.status} />],
              [
                "Messages made",
                <span key="progress" class="design-row">
                  {progress.total > 0 && (
                    <progress max={progress.total} value={progress.started} aria-label="Messages that were made" />
                  )}
                  {progressOf(progress)}
                </span>,
              ],
              ...(reached === undefined
                ? []
                : ([
                    ["Sent", <Reached key="sent" count={reached.sent} of={reached.messages} word="sent" />],
                    [
                      "Delivered",
                      <Reached key="delivered" count={reached.delivered} of={reached.messages} word="delivered" />,
                    ],
                    ...(reached.failed === 0 ? [] : ([["Given up", formatCount(reached.failed)]] as const)),
                  ] as const)),
              ["To", <RecipientLinks key="to" broadcast={broadcast} />],
              ["Queued", <IsoTime key="time" iso={broadcast.created_on} show="moment" />],
            ]}
          />
        </div>
      </Panel>
      <MessagesPanel title="Messages" path={`messages.json?broadcast=${broadcast.id}`} />
    </>
  );
}

/** A part of a broadcast's messages. */
function Reached({ count, of, word }: { readonly count: number; readonly of: number; readonly word: string }) {
  return (
    <span class="design-row">
      <progress max={of} value={count} aria-label={`Messages that were ${word}`} />
      {formatCount(count)} of {formatCount(of)}
    </span>
  );
}

function RecipientLinks({ broadcast: { groups, contacts, urns } }: { readonly broadcast: RecordOf<"broadcasts"> }) {
  return (
    <span class="design-row">
      {groups.map(({ uuid, name }) => (
        <a key={uuid} href={linkToService("contacts", undefined, { group: uuid })}>
          {name}
        </a>
      ))}
      {contacts.map(({ uuid, name }) => (
        <a key={uuid} href={linkToService("contacts", uuid)}>
          {name ?? "No name"}
        </a>
      ))}
      {(urns ?? []).map((urn) => (
        <span key={urn}>{urn.replace("tel:", "")}</span>
      ))}
      {groups.length + contacts.length + (urns?.length ?? 0) === 0 && "nobody"}
    </span>
  );
}
