import { useEffect, useId, useState } from "preact/hooks";
import type { FieldLog } from "../../protocol/index.js";
import { RequestError, labPost } from "../connection/lab-client.js";
import { useAction } from "../connection/use-action.js";
import { Button, CopyButton, Dialog, download, ErrorNote, Facts, Icon, Loading, Note } from "../design/index.js";
import { formatBytes, formatCount, formatCounted, formatPercent, formatWall } from "../format/index.js";
import "./field-log.css";

/** Largest log that the lab reads for the page. */
const BYTES_MAX = 32 * 1024 * 1024;

/** Reads a field log that was dropped on the page, or lets the user choose one. */
export function FieldLogDialog({
  file,
  onChoose,
  onClose,
}: {
  readonly file: File | undefined;
  readonly onChoose: (file: File) => void;
  readonly onClose: () => void;
}) {
  const id = useId();
  const [log, setLog] = useState<FieldLog>();
  const action = useAction();
  const read = (given: File): void => {
    setLog(undefined);
    action.run(async () => {
      if (given.size > BYTES_MAX) {
        throw new RequestError(
          `${given.name} has more than ${formatBytes(BYTES_MAX)}. In a terminal, handset import reads logs of any size.`,
          0,
        );
      }
      setLog(await labPost(`/import?name=${encodeURIComponent(given.name)}`, given));
    });
  };
  useEffect(() => {
    if (file !== undefined) read(file);
  }, [file]);
  const scenario = log?.scenario ?? null;
  return (
    <Dialog
      title={log === undefined ? "Log of the field, or bug file" : log.name}
      size="wide"
      onClose={onClose}
      actions={
        scenario !== null && (
          <>
            <CopyButton text={scenario} label="Copy the scenario" size="normal">
              Copy the scenario
            </CopyButton>
            <Button kind="main" icon="download" onPress={() => download("day.yaml", scenario)}>
              Download the scenario
            </Button>
          </>
        )
      }
    >
      <div class="design-stack">
        {action.isBusy && <Loading label="The log is read" lines={6} />}
        {action.error !== undefined && <ErrorNote error={action.error} />}
        {log !== undefined && <Contents log={log} />}
        {!action.isBusy && log === undefined && (
          <div class="field-log-choose design-stack">
            <Icon name="upload" size="1.5rem" />
            <label for={id}>
              Choose an access log with bodies, HAR, CSV, JSON lines, GoReplay or pages of messages.json, also gzipped;
              or a bug file (YAML); or drop it anywhere on this page
            </label>
            <input
              id={id}
              type="file"
              onChange={(event) => {
                const chosen = event.currentTarget.files?.[0];
                if (chosen !== undefined) onChoose(chosen);
              }}
            />
          </div>
        )}
      </div>
    </Dialog>
  );
}

function Contents({ log }: { readonly log: FieldLog }) {
  const rejected = log.lines - log.events;
  return (
    <>
      <Facts
        facts={[
          ["Read as", log.format],
          [
            "Lines",
            `${formatCount(log.lines)}: ${formatCounted(log.events, "event")}, ${formatCount(rejected)} rejected${
              rejected === 0 ? "" : ` (${countsOf(log.rejected)})`
            }`,
          ],
          ...(log.from === null || log.to === null
            ? []
            : ([["From, to", `${instantOf(log.from)} to ${instantOf(log.to)} UTC`]] as const)),
          ["Types", countsOf(log.types)],
          ["Handsets", formatCount(log.handsets)],
          ["People", formatCount(log.people)],
          ["Answers", Object.keys(log.answers).length === 0 ? "the log has none" : countsOf(log.answers)],
        ]}
      />
      {log.notes.map((note) => (
        <Note key={note}>Read as: {note}</Note>
      ))}
      <Causes log={log} />
      {log.scenario === null ? (
        log.events > 0 && (
          <Note tone="warning">
            This log is too large for a scenario of the page. In a terminal: handset import {log.name} --scenario
            day.yaml
          </Note>
        )
      ) : (
        <details class="field-log-scenario">
          <summary>The scenario of this day: names, numbers and texts are pseudonyms</summary>
          <pre tabIndex={0} aria-label="The scenario as YAML">
            {log.scenario}
          </pre>
        </details>
      )}
    </>
  );
}

function Causes({ log: { causes, shares, unexplained, lines } }: { readonly log: FieldLog }) {
  if (causes === null || shares === null) {
    return <Note tone="warning">Causes are inferred here for logs of up to 50,000 events.</Note>;
  }
  return (
    <>
      <section class="design-stack-tight" aria-label="Causes of trouble">
        <h3>
          {causes.length === 0
            ? "No trouble shows"
            : formatCounted(causes.length, "cause of trouble", "causes of trouble")}
        </h3>
        <ol class="field-log-causes">
          {causes.map(({ at, of, what, evidence }) => (
            <li key={`${at} ${of} ${what}`}>
              <span class="design-muted">{instantOf(at)}</span> <strong>{of}</strong> {what}
              <p class="design-muted">{evidence}</p>
            </li>
          ))}
        </ol>
      </section>
      {lines > 0 && (
        <section class="design-stack-tight" aria-label="What explains the lines">
          <h3>What explains the lines</h3>
          <Facts
            facts={shares.map(({ what, rows, share }) => [what, `${formatCount(rows)} (${formatPercent(share)})`])}
          />
          {unexplained !== null && unexplained > 0 && (
            <Note tone="warning">No cause explains {formatCounted(unexplained, "line")}.</Note>
          )}
        </section>
      )}
    </>
  );
}

function countsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} (${formatCount(count)})`)
    .join(", ");
}

function instantOf(text: string): string {
  return formatWall(Date.parse(text), "date-time", "UTC");
}
