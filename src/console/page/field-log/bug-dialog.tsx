import { useEffect, useState } from "preact/hooks";
import type { BugFile, PlayedBug } from "../../protocol/index.js";
import { labPost } from "../connection/lab-client.js";
import { useAction } from "../connection/use-action.js";
import { useBugWork } from "../connection/use-bug-work.js";
import { Badge, Button, Dialog, ErrorNote, Facts, Loading, Note } from "../design/index.js";
import { formatCounted } from "../format/index.js";
import { BugSteps } from "./bug-steps.jsx";
import "./bug.css";

/** Shows a bug file: its steps, what is right, what came; and plays it at the lab's receiver. */
export function BugDialog({ file, onClose }: { readonly file: File; readonly onClose: () => void }) {
  const [bug, setBug] = useState<BugFile>();
  const action = useAction();
  const work = useBugWork();
  const name = encodeURIComponent(file.name);
  useEffect(() => {
    setBug(undefined);
    work.forget();
    action.run(async () => setBug(await labPost(`/bug?name=${name}`, file)));
  }, [file]);
  const played = work.job?.play ?? undefined;
  return (
    <Dialog
      title={bug?.title ?? file.name}
      size="wide"
      onClose={onClose}
      actions={
        (bug?.receiver ?? null) !== null &&
        (work.isRunning ? (
          <Button icon="cross" onPress={work.stop}>
            Stop
          </Button>
        ) : (
          <Button kind="main" icon="play" onPress={() => work.begin(() => labPost(`/bug/play?name=${name}`, file))}>
            {played === undefined ? "Play it here" : "Play it again"}
          </Button>
        ))
      }
    >
      <div class="design-stack">
        {action.isBusy && <Loading label="The file is read" lines={6} />}
        {action.error !== undefined && <ErrorNote error={action.error} />}
        {bug !== undefined && (
          <>
            <p class="design-muted bug-name">
              {file.name}, {bug.kind === "exact" ? "a bug file of exact requests" : "a scenario"}
            </p>
            {work.error !== undefined && <ErrorNote error={work.error} />}
            <Verdict played={played} problem={work.job?.problem ?? null} />
            <Problems bug={bug} />
            {bug.story.map((paragraph) => (
              <p key={paragraph} class="bug-story">
                {paragraph}
              </p>
            ))}
            <BugSteps bug={bug} played={played} />
            <Right bug={bug} played={played} />
            <Seen bug={bug} />
            <Where bug={bug} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function Verdict({ played, problem }: { readonly played: PlayedBug | undefined; readonly problem: string | null }) {
  return (
    <div role="status" class="bug-verdict">
      {problem !== null && <Note tone="warning">{problem}</Note>}
      {played !== undefined &&
        (played.verdict === null ? (
          problem === null && (
            <p>
              {played.answers.length} of {formatCounted(played.requests, "request")} answered
            </p>
          )
        ) : (
          <Note tone={({ there: "bad", "not-there": "good", "not-judged": "warning" } as const)[played.verdict]}>
            {firstLetterUp(played.words)}
          </Note>
        ))}
    </div>
  );
}

function Problems({ bug: { problems } }: { readonly bug: BugFile }) {
  if (problems.length === 0) return null;
  const errors = problems.filter((problem) => problem.is_error).length;
  return (
    <section class="design-stack-tight" aria-label="Problems">
      <h3>{errors === 0 ? "Look again at this" : `The file is not sound: ${formatCounted(errors, "error")}`}</h3>
      <ul class="bug-list">
        {problems.map(({ line, column, is_error: isError, message, hint }) => (
          <li key={`${line} ${column} ${message}`}>
            <Badge tone={isError ? "bad" : "warning"}>
              line {line}, column {column}
            </Badge>{" "}
            {message}
            {hint !== null && <p class="design-muted">{hint}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Right({ bug, played }: { readonly bug: BugFile; readonly played: PlayedBug | undefined }) {
  if (bug.problems.some((problem) => problem.is_error)) return null;
  const judged = played?.expectations ?? [];
  return (
    <section class="design-stack-tight" aria-label="What is right">
      <h3>What is right</h3>
      {bug.right.length === 0 && <p>The file does not say what is right.</p>}
      <ul class="bug-list">
        {bug.right.map((text, place) => {
          const result = judged[place];
          return (
            <li key={`${place} ${text}`}>
              <code>{text}</code>{" "}
              {result !== undefined && (
                <Badge tone={result.held ? "good" : "bad"} icon={result.held ? "check" : "cross"}>
                  {result.held ? "holds" : "broken"}
                </Badge>
              )}
              {result !== undefined && result.seen !== null && !result.held && <p>{result.seen}</p>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const seenNames: Readonly<Record<string, string>> = {
  condition: "Fails with",
  request: "At request",
  status: "Status",
  answer: "Answer",
  error: "No answer",
  at: "Seen",
  runs: "In runs",
};

function Seen({ bug: { seen, versions } }: { readonly bug: BugFile }) {
  const facts = Object.entries(seen ?? {}).map(([key, value]) => [seenNames[key] ?? key, value] as const);
  const made = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  if (facts.length + made.length === 0) return null;
  return (
    <section class="design-stack-tight" aria-label="What came">
      <h3>What came when it was written</h3>
      <Facts facts={[...facts, made.length > 0 && ["Written with", made.join(", ")]]} />
    </section>
  );
}

function Where({ bug: { not_here: why, receiver, requests } }: { readonly bug: BugFile }) {
  if (receiver === null) return <Note>{why}</Note>;
  return (
    <Note>
      <em>Play it here</em> sends {requests.length === 1 ? "this request" : `these ${requests.length} requests`} to{" "}
      <span class="design-mono">{receiver}</span> at once, beside the lab. Nothing is recorded in the lab's account;
      your receiver keeps what they do to it.
    </Note>
  );
}

function firstLetterUp(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
