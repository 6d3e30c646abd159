import { useState } from "preact/hooks";
import { Button, Dialog, ErrorNote, toastDone } from "../design/index.js";
import { labPost } from "../connection/lab-client.js";

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
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const send = async (): Promise<void> => {
    setIsBusy(true);
    try {
      const sent = await labPost<{ readonly try: number; readonly url: string }>("/events/resend", { id });
      toastDone(`Event ${id} was sent again, as try ${sent.try}.`);
      onSent();
      onClose();
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title={`Send event ${id} again?`}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" icon="send" isBusy={isBusy} onPress={send}>
            Send again
          </Button>
        </>
      }
    >
      <div class="design-stack">
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
        {error !== undefined && <ErrorNote error={error} />}
      </div>
    </Dialog>
  );
}
