import type { ChainBug } from "../../protocol/index.js";
import { ResetField } from "../bug/reset-field.jsx";
import { labGet } from "../connection/lab-client.js";
import { useAction } from "../connection/use-action.js";
import { Button, CopyButton, download, ErrorNote, Note } from "../design/index.js";

/** What *Minimise* does, and how a terminal does it. */
export function AboutSearch({
  id,
  bug: { condition, requests, no_minimise: why, command },
  isRunning,
  isOpen,
  resetError,
}: {
  readonly id: string;
  readonly bug: ChainBug;
  readonly isRunning: boolean;
  /** Whether the way of a terminal is the one to take. */
  readonly isOpen: boolean;
  readonly resetError: string | undefined;
}) {
  if (condition === null || requests === 0) return null;
  return (
    <section class="design-stack" aria-label="Minimise">
      {why === null ? (
        <>
          <p>
            <em>Minimise</em> searches the fewest requests that fail in the same way. It plays the requests of the lab
            up to this event at your receiver, again and again with fewer of them, for up to a minute. The lab
            continues: pause it first if its own events would disturb.
          </p>
          <ResetField error={resetError} isDisabled={isRunning} />
        </>
      ) : (
        <Note>It cannot be minimised here: {why}</Note>
      )}
      <details class="chain-terminal" open={isOpen || why !== null}>
        <summary>In a terminal, where the receiver is started again for each play</summary>
        <InTerminal id={id} condition={condition} command={command} />
      </details>
    </section>
  );
}

function InTerminal({
  id,
  condition,
  command,
}: {
  readonly id: string;
  readonly condition: string;
  readonly command: string;
}) {
  const action = useAction();
  return (
    <div class="design-stack">
      <p>
        Save the requests of the lab up to this event, and put the command that starts your receiver in place of
        COMMAND:
      </p>
      <code class="chain-command">{command}</code>
      {action.error !== undefined && <ErrorNote error={action.error} />}
      <div class="design-row">
        <Button
          size="small"
          icon="download"
          isBusy={action.isBusy}
          onPress={() =>
            action.run(async () => {
              const { name, yaml } = await labGet(
                `/chain/bug/input?id=${encodeURIComponent(id)}&while=${encodeURIComponent(condition)}`,
              );
              download(name, yaml);
            })
          }
        >
          Save all requests
        </Button>
        <CopyButton text={command} label="Copy the command">
          Copy the command
        </CopyButton>
      </div>
    </div>
  );
}
