import { useId, useState } from "preact/hooks";
import { labPost, RequestError } from "../../connection/lab-client.js";
import { useAction } from "../../connection/use-action.js";
import { Button, Dialog, ErrorNote, Facts, Icon, Note } from "../../design/index.js";
import { formatBytes, formatCount, formatCounted } from "../../format/index.js";
import { contentsOf } from "./import-contents.js";
import "./import-dialog.css";

/** Most bytes of a file that the page reads. */
const BYTES_MAX = 64 * 1024 * 1024;

interface Loaded {
  readonly added: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** Reads a file, shows its summary, and adds it to the account. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const [file, setFile] = useState<{ readonly name: string; readonly text: string }>();
  const [loaded, setLoaded] = useState<Loaded>();
  const [isOver, setIsOver] = useState(false);
  const action = useAction();
  const contents = file === undefined ? undefined : contentsOf(file.text);
  const read = (given: File | null | undefined): void => {
    if (given === null || given === undefined) return;
    setLoaded(undefined);
    action.run(async () => {
      if (given.size > BYTES_MAX) throw new RequestError(`${given.name} has more than ${formatBytes(BYTES_MAX)}.`, 0);
      setFile({ name: given.name, text: await given.text() });
    });
  };
  const load = (): void =>
    action.run(async () => {
      if (file !== undefined) setLoaded(await labPost("/account", file.text));
    });
  return (
    <Dialog
      title="Import definitions"
      onClose={onClose}
      actions={
        loaded === undefined ? (
          <>
            <Button onPress={onClose}>Cancel</Button>
            <Button
              kind="main"
              icon="upload"
              isBusy={action.isBusy}
              isDisabled={contents === undefined}
              title={contents === undefined ? "Choose a file first." : undefined}
              onPress={load}
            >
              Add to the account
            </Button>
          </>
        ) : (
          <Button kind="main" onPress={onClose}>
            Done
          </Button>
        )
      }
    >
      <div class="design-stack">
        {loaded === undefined && (
          <div
            class={`service-drop design-stack${isOver ? " service-drop-over" : ""}`}
            onDragOver={(event) => {
              event.preventDefault();
              setIsOver(true);
            }}
            onDragLeave={() => setIsOver(false)}
            onDrop={(event) => {
              event.preventDefault();
              setIsOver(false);
              read(event.dataTransfer?.files[0]);
            }}
          >
            <Icon name="upload" size="1.5rem" />
            <label for={id}>Drop an export (JSON) or an account file (YAML) here, or choose one</label>
            <input
              id={id}
              type="file"
              accept=".json,.yaml,.yml,application/json"
              onChange={(event) => read(event.currentTarget.files?.[0])}
            />
          </div>
        )}
        {file !== undefined && loaded === undefined && <FileNote file={file} contents={contents} />}
        {action.error !== undefined && <ImportRefusal error={action.error} />}
        {loaded !== undefined && <LoadedNote loaded={loaded} />}
      </div>
    </Dialog>
  );
}

function FileNote({
  file,
  contents,
}: {
  readonly file: { readonly name: string; readonly text: string };
  readonly contents: ReturnType<typeof contentsOf>;
}) {
  if (contents === undefined) {
    return <Note tone="warning">{file.name} is neither an export (JSON) nor an account file (YAML).</Note>;
  }
  return (
    <Note>
      {file.name} is an {contents.kind} ({formatBytes(file.text.length)})
      {contents.parts.length === 0 ? "" : ` with ${contents.parts.join(", ")}`}. It is added to the account: objects
      with the same UUID or name are replaced, nothing else is removed.
    </Note>
  );
}

function ImportRefusal({ error }: { readonly error: RequestError }) {
  const [first = "", ...rest] = error.message.split("\n");
  return (
    <>
      <ErrorNote error={new Error(first)} />
      {rest.length > 0 && (
        <pre class="service-diagnostics" tabIndex={0} aria-label="What is wrong with the file">
          {rest.join("\n")}
        </pre>
      )}
    </>
  );
}

function LoadedNote({ loaded: { added, problems } }: { readonly loaded: Loaded }) {
  const parts = Object.entries(added).filter(([, count]) => count > 0);
  return (
    <>
      {parts.length === 0 ? (
        <Note tone="warning">Nothing was added: the account already has everything in the file.</Note>
      ) : (
        <Note tone={problems.length === 0 ? "good" : "warning"}>
          {problems.length === 0 ? "Added." : `Added, with ${formatCounted(problems.length, "problem")}.`}
        </Note>
      )}
      {parts.length > 0 && (
        <Facts facts={parts.map(([name, count]) => [name.replaceAll("_", " "), formatCount(count)])} />
      )}
      {problems.length > 0 && (
        <section class="design-stack-tight" aria-label="Problems">
          <h3>Problems</h3>
          <ul class="service-problems">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
