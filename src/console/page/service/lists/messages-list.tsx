import { EmptyState, Select } from "../../design/index.js";
import { goTo, linkToChain } from "../../navigation/routes.js";
import { IsoTime } from "../../domain/time.jsx";
import { linkToService } from "../links.js";
import { ListPanel } from "../list-panel.jsx";
import type { RecordOf } from "../../../protocol/index.js";
import { StatusBadge } from "../status-badge.jsx";

const folders = [
  { value: "", label: "All messages" },
  { value: "inbox", label: "Inbox" },
  { value: "flows", label: "Flows" },
  { value: "archived", label: "Archived" },
  { value: "outbox", label: "Outbox" },
  { value: "sent", label: "Sent" },
  { value: "failed", label: "Failed" },
] as const;

/** Messages by folder, the newest first. */
export function MessagesList({ query }: { readonly query: URLSearchParams }) {
  const folder = folders.find(({ value }) => value === query.get("folder"))?.value ?? "";
  return (
    <MessagesPanel
      title="Messages"
      about="Incoming and outgoing texts, the newest first."
      path={folder === "" ? "messages.json" : `messages.json?folder=${folder}`}
      filters={
        <Select
          label="Folder"
          isLabelUnseen
          value={folder}
          options={folders}
          onChange={(value) => goTo(linkToService("messages", undefined, value === "" ? {} : { folder: value }))}
        />
      }
    />
  );
}

/** A table of messages. */
export function MessagesPanel({
  title,
  level = 2,
  about,
  path,
  filters,
  hasContact = true,
}: {
  readonly title: string;
  readonly level?: 2 | 3;
  readonly about?: string;
  readonly path: `messages.json${string}`;
  readonly filters?: preact.ComponentChildren;
  readonly hasContact?: boolean;
}) {
  return (
    <ListPanel
      title={title}
      level={level}
      about={about}
      path={path}
      filters={filters}
      keyOf={({ id }) => id}
      link={({ id }) => linkToChain(id)}
      words={({ text, contact, urn, status }) => `${text} ${contact.name ?? ""} ${urn ?? ""} ${status}`}
      columns={[
        { name: "text", title: "Text", isCut: true, cell: ({ text }) => <span title={text}>{text}</span> },
        {
          name: "direction",
          title: "Direction",
          isWideOnly: true,
          width: "5rem",
          cell: ({ direction }) => (direction === "in" ? "In" : "Out"),
        },
        ...(hasContact
          ? [
              {
                name: "contact",
                title: "Contact",
                width: "11rem",
                cell: ({ contact, urn }: RecordOf<"messages">) => (
                  <a href={linkToService("contacts", contact.uuid)}>
                    {contact.name ?? urn?.replace("tel:", "") ?? "—"}
                  </a>
                ),
              },
            ]
          : []),
        {
          name: "from",
          title: "Origin",
          isWideOnly: true,
          width: "8rem",
          cell: ({ flow, broadcast, labels }) =>
            flow !== null ? (
              <a href={linkToService("flows", flow.uuid)}>{flow.name}</a>
            ) : broadcast !== null ? (
              <a href={linkToService("broadcasts", broadcast)}>Broadcast {broadcast}</a>
            ) : (
              labels.map(({ name }) => name).join(", ")
            ),
        },
        { name: "channel", title: "Channel", isWideOnly: true, isCut: true, cell: ({ channel }) => channel.name },
        {
          name: "status",
          title: "Status",
          width: "8rem",
          cell: ({ status }) => <StatusBadge status={status} />,
        },
        {
          name: "time",
          title: "Time",
          align: "end",
          width: "6rem",
          cell: ({ created_on: at }) => <IsoTime iso={at} show="recent" />,
        },
      ]}
      empty={
        <EmptyState icon="message" title="No messages here">
          <p>Text a handset as a person, or send a broadcast; messages appear here as they come.</p>
        </EmptyState>
      }
    />
  );
}
