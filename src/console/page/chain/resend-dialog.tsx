import { labPost } from "../connection/lab-client.js";
import { useAction } from "../connection/use-action.js";
import { ConfirmDialog, ErrorNote, toastDone } from "../design/index.js";

/** Sends the event again, after a confirmation, because it is a real request. */
export function ResendDialog({
  id,
  url,
  onClose,
  onSent,
}: {
  readonly id: string;
  /** URL of its last attempt; null: it has none. */
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
        This sends a real request to the receiver
        {url !== null && (
          <>
            {", last at "}
            <code class="chain-url">{url}</code>
          </>
        )}
        . The receiver may count the event twice. The attempt is recorded as sent by hand; it is not repeated if it
        fails.
      </p>
      {action.error !== undefined && <ErrorNote error={action.error} />}
    </ConfirmDialog>
  );
}
