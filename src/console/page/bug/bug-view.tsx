import type { BugFile, PlayedBug } from "../../protocol/index.js";
import { Badge, Facts, Note } from "../design/index.js";
import { formatCounted, visibleText } from "../format/index.js";
import { BugSteps } from "./bug-steps.jsx";
import "./bug.css";

/**
 * A bug file as its reader needs it: its story, its requests, what is right, what came; and what a play of it gave.
 *
 * @param hasStory - false: the story only repeats what is shown
 */
export function BugView({
  bug,
  played,
  hasStory = true,
}: {
  readonly bug: BugFile;
  readonly played: PlayedBug | undefined;
  readonly hasStory?: boolean;
}) {
  return (
    <>
      <Problems bug={bug} />
      {hasStory &&
        bug.story.map((paragraph) => (
          <p key={paragraph} class="bug-story">
            {paragraph.startsWith("handset ") ? <code>{paragraph}</code> : paragraph}
          </p>
        ))}
      <BugSteps bug={bug} played={played} />
      <Right bug={bug} played={played} />
      <Seen bug={bug} />
    </>
  );
}

/** How far a play is, then its verdict. @param problem - why it ended without one */
export function BugVerdict({
  played,
  problem,
}: {
  readonly played: PlayedBug | undefined;
  readonly problem: string | null;
}) {
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
  const hasMany = bug.requests.length > 1;
  return (
    <section class="design-stack-tight" aria-label="What is right">
      <h3>What is right</h3>
      {bug.right.length === 0 && <p>The file does not say what is right.</p>}
      <ul class="bug-list">
        {bug.right.map(({ text, words, request }, place) => {
          const result = judged[place];
          return (
            <li key={`${place} ${text}`}>
              {request !== null && hasMany && `Request ${request}: `}
              {text === words ? <code>{text}</code> : request !== null && hasMany ? words : firstLetterUp(words)}{" "}
              {result !== undefined && (
                <Badge tone={result.held ? "good" : "bad"} icon={result.held ? "check" : "cross"}>
                  {result.held ? "holds" : "broken"}
                </Badge>
              )}
              {result !== undefined && result.seen !== null && !result.held && <p>{visibleText(result.seen)}</p>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const seenNames: Readonly<Record<string, string>> = {
  condition: "What went wrong",
  request: "At request",
  status: "Status",
  answer: "Answer",
  error: "No answer",
  at: "When",
  runs: "How often",
};

function Seen({ bug: { seen, versions } }: { readonly bug: BugFile }) {
  const facts = Object.entries(seen ?? {}).map(
    ([key, value]) => [seenNames[key] ?? key, seenText(key, value)] as const,
  );
  const made = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  if (facts.length + made.length === 0) return null;
  return (
    <section class="design-stack-tight bug-seen" aria-label="What came">
      <h3>What came when it was written</h3>
      <Facts facts={[...facts, made.length > 0 && ["Written with", made.join(", ")]]} />
    </section>
  );
}

function seenText(key: string, value: string): string {
  const wallMs = key === "at" ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(wallMs)) return `${new Date(wallMs).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return key === "runs" && /^\d+ of \d+$/.test(value) ? `in ${value} plays` : visibleText(value);
}

function firstLetterUp(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
