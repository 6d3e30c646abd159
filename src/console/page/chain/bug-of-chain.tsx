import { useRef, useState } from "preact/hooks";
import type { ChainBug } from "../../protocol/index.js";
import { BugVerdict, BugView } from "../bug/bug-view.jsx";
import { PlayButton } from "../bug/play-button.jsx";
import { resetRequest } from "../bug/reset-field.jsx";
import { useBugFile } from "../bug/use-bug-file.js";
import { labPost } from "../connection/lab-client.js";
import { useBugWork } from "../connection/use-bug-work.js";
import { useRequest } from "../connection/use-request.js";
import { Button, Dialog, download, ErrorNote, Note, RequestNote } from "../design/index.js";
import { AboutSearch } from "./about-search.jsx";
import { SearchOutcome } from "./search-outcome.jsx";
import { WhatIsWrong } from "./what-is-wrong.jsx";

/** Makes a bug file of a chain's requests, plays it, and searches the smallest one that fails in the same way. */
export function BugOfChainDialog({
  id,
  onBack,
  onClose,
}: {
  readonly id: string;
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const [wrong, setWrong] = useState<string>();
  const search = useBugWork();
  const of = encodeURIComponent(id);
  const made = useRequest(
    wrong === undefined ? `/chain/bug?id=${of}` : `/chain/bug?id=${of}&while=${encodeURIComponent(wrong)}`,
  );
  const bug = made.data;
  // What the answers show, and the choices, stay while another answer is loaded, or was refused.
  const first = useRef<ChainBug | undefined>(undefined);
  first.current ??= bug;
  const small = search.job?.minimise ?? undefined;
  const yaml = small?.yaml ?? bug?.yaml ?? undefined;
  const name = `from-${id.replace("/", "-")}.bug.yaml`;
  const file = useBugFile(yaml, name);
  const { work } = file;
  const canMinimise = bug !== undefined && bug.no_minimise === null && bug.condition !== null;
  const errors = [search.error, work.error];
  const resetError = errors.map((error) => error?.fields["reset"]).find((text) => text !== undefined);
  const about = bug !== undefined && (
    <AboutSearch
      id={id}
      bug={bug}
      isRunning={search.isRunning}
      isOpen={small !== undefined && (small.ending === "passes" || small.ending === "forgets-nothing")}
      resetError={resetError}
    />
  );
  return (
    <Dialog
      title="Bug file of these events"
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onBack}>Back to the scenario</Button>
          {search.isRunning ? (
            <Button icon="cross" isBusy={search.isStopping} onPress={search.stop}>
              Stop
            </Button>
          ) : (
            canMinimise && (
              <Button
                isDisabled={work.isRunning}
                onPress={() =>
                  search.begin(() =>
                    labPost("/bug/minimise", {
                      id,
                      while: bug.condition ?? "",
                      ...(resetRequest.value.trim() !== "" && { reset: resetRequest.value }),
                    }),
                  )
                }
              >
                Minimise
              </Button>
            )
          )}
          <PlayButton file={file} isDisabled={search.isRunning} />
          {yaml !== undefined && (
            <Button kind="main" icon="download" isDisabled={search.isRunning} onPress={() => download(name, yaml)}>
              Save as bug file
            </Button>
          )}
        </>
      }
    >
      <div class="design-stack">
        {bug === undefined && <RequestNote request={made} lines={8} />}
        {first.current !== undefined && (
          <WhatIsWrong
            proposed={first.current.condition}
            choices={first.current.choices}
            isDisabled={search.isRunning}
            onWrong={(condition) => {
              search.forget();
              setWrong(condition);
            }}
          />
        )}
        {bug !== undefined && bug.requests === 0 && (
          <Note tone="warning">No request of these events reached a receiver.</Note>
        )}
        {small === undefined &&
          bug?.notes.map((note) => (
            <Note key={note} tone="warning">
              {note}
            </Note>
          ))}
        {errors.map(
          (error) =>
            error !== undefined &&
            error.fields["reset"] === undefined && <ErrorNote key={error.message} error={error} />,
        )}
        <div role="status" class="design-stack bug-verdict">
          {small !== undefined && <SearchOutcome small={small} problem={search.job?.problem ?? null} />}
        </div>
        <BugVerdict played={work.job?.play ?? undefined} problem={work.job?.problem ?? null} />
        {small === undefined && work.job?.play?.verdict === "not-there" && (
          <Note tone="warning">
            These requests alone do not show it: the receiver was fixed, or it takes earlier requests of the lab, which
            <em> Minimise</em> finds.
          </Note>
        )}
        {small?.ending !== "found" && about}
        {file.error !== undefined && <ErrorNote error={file.error} />}
        {file.bug !== undefined && <BugView bug={file.bug} played={work.job?.play ?? undefined} hasStory={false} />}
        {small?.ending === "found" && about}
        {yaml !== undefined && (
          <details class="chain-terminal">
            <summary>The file as YAML</summary>
            <pre class="chain-body chain-yaml" tabIndex={0} aria-label="The bug file as YAML">
              {yaml}
            </pre>
          </details>
        )}
      </div>
    </Dialog>
  );
}
