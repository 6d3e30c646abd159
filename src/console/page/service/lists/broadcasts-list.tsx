import { useState } from "preact/hooks";
import { Button, EmptyState } from "../../design/index.js";
import { formatCount } from "../../format/index.js";
import { BroadcastDialog } from "../actions/broadcast-dialog.jsx";
import { IsoTime } from "../../domain/time.jsx";
import { linkToService } from "../links.js";
import { ListPanel } from "../list-panel.jsx";
import { baseText } from "../base-text.js";
import type { RecordOf } from "../../../protocol/index.js";
import { BroadcastBadge } from "../status-badge.jsx";
import { useBroadcastMessages } from "../use-broadcast-messages.js";

/** Broadcasts, the newest first. */
export function BroadcastsList() {
  const [isSending, setIsSending] = useState(false);
  const [shown, setShown] = useState<readonly number[]>([]);
  const reached = useBroadcastMessages(shown);
  return (
    <>
      <ListPanel
        title="Broadcasts"
        about="One text to many contacts, each sent by the handset that the contact used last."
        path="broadcasts.json"
        keyOf={({ id }) => id}
        link={({ id }) => linkToService("broadcasts", id)}
        onRows={(rows) => setShown(rows.map(({ id }) => id))}
        words={({ text }) => Object.values(text).join(" ")}
        actions={
          <Button kind="main" icon="send" onPress={() => setIsSending(true)}>
            Send a broadcast
          </Button>
        }
        columns={[
          {
            name: "text",
            title: "Text",
            isCut: true,
            cell: ({ text, base_language: base }) => baseText(text, base),
          },
          { name: "to", title: "To", isCut: true, isWideOnly: true, cell: recipientsOf },
          {
            name: "progress",
            title: "Messages",
            align: "end",
            width: "8rem",
            cell: ({ progress }) => progressOf(progress),
          },
          {
            name: "sent",
            title: "Sent",
            align: "end",
            width: "5rem",
            cell: ({ id }) => countOf(reached.get(id)?.sent),
          },
          {
            name: "delivered",
            title: "Delivered",
            align: "end",
            width: "6rem",
            cell: ({ id }) => countOf(reached.get(id)?.delivered),
          },
          { name: "status", title: "Status", width: "8rem", cell: ({ status }) => <BroadcastBadge status={status} /> },
          {
            name: "time",
            title: "Time",
            align: "end",
            width: "11rem",
            cell: ({ created_on: at }) => <IsoTime iso={at} show="recent" />,
          },
        ]}
        empty={
          <EmptyState icon="send" title="No broadcasts yet">
            <p>Send one to a group, and watch it arrive on people’s phones.</p>
          </EmptyState>
        }
      />
      {isSending && <BroadcastDialog onClose={() => setIsSending(false)} />}
    </>
  );
}

/** Names of its groups, contacts and addresses. */
export function recipientsOf({ groups, contacts, urns }: RecordOf<"broadcasts">): string {
  return [...groups, ...contacts]
    .map(({ name, uuid }) => name ?? uuid)
    .concat((urns ?? []).map((urn) => urn.replace("tel:", "")))
    .join(", ");
}

function countOf(count: number | undefined): string {
  return count === undefined ? "–" : formatCount(count);
}

/** `12 of 30`; the total is unknown until the service has counted. */
export function progressOf({ total, started }: RecordOf<"broadcasts">["progress"]): string {
  return total < 0 ? `${formatCount(started)}, counting` : `${formatCount(started)} of ${formatCount(total)}`;
}
