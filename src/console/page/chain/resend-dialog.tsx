import { labPost } from "../connection/lab-client.js";
import { useAction } from "../connection/use-action.js";
import { ConfirmDialog, ErrorNote, toastDone } from "../design/index.js";

/** Asks whether a real request is to leave, and sends the event again. */
export function ResendDialog({
  id,
  url,
  onClose,
  onSent,
}: {
  readonly id: string;
  /** Where its last attempt went; null: it has none. */
  readonly url: string | null;
  readonly onClose: () => void;
  readonly onSent: () => void;
}) {
  const action = useAction();
  const send = (): void =>
    action.run(async () => {
      const sent = await labPost("/events/resend", { id });
      toastDone(`Event ${id} was sent again, as try ${sent.try}.`);
      onSent();
      onClose();
    });
  return (
    <ConfirmDialog
      title={`Send event ${id} again?`}
      confirm="Send again"
      icon="send"
      isBusy={action.isBusy}
      onConfirm={send}
      onClose={onClose}
    >
      <p>
        A real request leaves for the receiver
        {url !== null && (
          <>
            {", last at "}
            <code class="chain-url">{url}</code>
          </>
        )}
        . It may count the event twice. The attempt is recorded as sent by hand; it is not repeated if it fails.
      </p>
      {action.error !== undefined && <ErrorNote error={action.error} />}
    </ConfirmDialog>
  );
}
