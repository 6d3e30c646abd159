import { useState } from "preact/hooks";
import { apiPost } from "../../connection/lab-client.js";
import { useAction } from "../../connection/use-action.js";
import { ConfirmDialog, Note, Textarea, toastDone } from "../../design/index.js";
import { formatCounted } from "../../format/index.js";
import { linkToService } from "../links.js";
import type { Reference } from "../../../protocol/index.js";
import { recipientWords } from "../recipients.js";
import { smsLength } from "../segments.js";
import { bodyOf, countOf, nobody, RecipientsField } from "./recipients-field.jsx";
import { RefusalNote } from "./refusal-note.jsx";

/** Writes a broadcast, shows its effect, and sends it. */
export function BroadcastDialog({
  contacts = [],
  onClose,
}: {
  readonly contacts?: readonly Reference[];
  readonly onClose: () => void;
}) {
  const [text, setText] = useState("");
  const [recipients, setRecipients] = useState({ ...nobody, contacts });
  const action = useAction();
  const count = countOf(recipients);
  const length = smsLength(text);
  const isReady = text.trim() !== "" && count.count > 0;
  const send = (): void =>
    action.run(async () => {
      const sent = await apiPost("broadcasts.json", { text, ...bodyOf(recipients) });
      toastDone(`The broadcast to ${recipientWords(count)} is queued.`, {
        href: linkToService("broadcasts", sent.id),
        label: "Show its progress",
      });
      onClose();
    });
  return (
    <ConfirmDialog
      title="Send a broadcast"
      confirm={count.count === 0 ? "Send" : `Send to ${recipientWords(count)}`}
      icon="send"
      isBusy={action.isBusy}
      blocked={isReady ? undefined : "Write a text and choose the recipients."}
      onConfirm={send}
      onClose={onClose}
    >
      <Textarea
        label="Text"
        rows={4}
        autofocus
        value={text}
        onChange={setText}
        error={action.fieldError("text")}
        hint={`${formatCounted(length.characters, "character")}, ${formatCounted(length.segments, "text message")} each (${length.encoding})${hasTemplate(text) ? ", before templates are filled in" : ""}`}
      />
      <p class="design-muted">
        Templates are filled in for each contact: <code>@contact.name</code>, <code>@fields.age</code>,{" "}
        <code>@(upper(contact.name))</code>. <code>@@</code> is an at sign.
      </p>
      <RecipientsField
        value={recipients}
        onChange={setRecipients}
        error={action.fieldError("urns", "groups", "contacts")}
      />
      {isReady && (
        <Note>
          This queues {formatCounted(length.segments, "text message")} for {recipientWords(count)}, sent by the handset
          that each contact used last. Blocked and stopped contacts get nothing.
        </Note>
      )}
      <RefusalNote action={action} shown={["text", "urns", "groups", "contacts"]} />
    </ConfirmDialog>
  );
}

function hasTemplate(text: string): boolean {
  return /@(?!@)[\w(]/.test(text);
}
