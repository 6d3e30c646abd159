import { useState } from "preact/hooks";
import { Button, CopyButton, Dialog, download, Note, RequestNote } from "../design/index.js";
import { useRequest } from "../connection/use-request.js";
import { BugOfChainDialog } from "./bug-of-chain.jsx";

/** Shows the scenario of a chain, to copy or to download; and makes a bug file of the chain. */
export function ScenarioDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [isBug, setIsBug] = useState(false);
  return isBug ? (
    <BugOfChainDialog id={id} onBack={() => setIsBug(false)} onClose={onClose} />
  ) : (
    <OfScenario id={id} onBug={() => setIsBug(true)} onClose={onClose} />
  );
}

function OfScenario({
  id,
  onBug,
  onClose,
}: {
  readonly id: string;
  readonly onBug: () => void;
  readonly onClose: () => void;
}) {
  const made = useRequest(`/chain/scenario?id=${encodeURIComponent(id)}`);
  const name = `from-${id.replace("/", "-")}.yaml`;
  return (
    <Dialog
      title="Scenario of these steps"
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onBug}>Minimise…</Button>
          <Button onPress={onBug}>Save as bug file…</Button>
          {made.data !== undefined && (
            <>
              <CopyButton text={made.data.yaml} label="Copy the scenario" size="normal">
                Copy
              </CopyButton>
              <Button kind="main" icon="download" onPress={() => download(name, made.data?.yaml ?? "")}>
                Download
              </Button>
            </>
          )}
        </>
      }
    >
      <RequestNote request={made} lines={8} />
      {made.data !== undefined && (
        <div class="design-stack">
          <p>
            Play it with <code>npx handset run {name}</code>. Its last step expects the result of this chain.
          </p>
          {made.data.notes.map((note) => (
            <Note key={note} tone="warning">
              {note}
            </Note>
          ))}
          <pre class="chain-body chain-yaml" tabIndex={0} aria-label="The scenario as YAML">
            {made.data.yaml}
          </pre>
        </div>
      )}
    </Dialog>
  );
}
