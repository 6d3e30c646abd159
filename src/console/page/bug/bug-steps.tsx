import type { BugAnswer, BugFile, BugRequest, PlayedBug } from "../../protocol/index.js";
import { Badge } from "../design/index.js";
import { formatCounted, formatDuration } from "../format/index.js";

/** The requests of a bug file as steps, each with the answer that came. */
export function BugSteps({ bug, played }: { readonly bug: BugFile; readonly played: PlayedBug | undefined }) {
  const { requests, seen } = bug;
  if (requests.length === 0) return null;
  const answers = new Map(played?.answers.map((answer) => [answer.request, answer]));
  const wrongThen = Number(seen?.["request"] ?? Number.NaN);
  return (
    <section class="design-stack-tight" aria-label="Steps">
      <h3>{formatCounted(requests.length, "step")}</h3>
      <ol class="bug-steps">
        {requests.map((request, place) => (
          <li key={place} class={wrongThen === place + 1 ? "bug-step bug-step-wrong" : "bug-step"}>
            <Step request={request} />
            {wrongThen === place + 1 && answers.size === 0 && (
              <p class="bug-answer bug-answer-bad">
                came:{" "}
                {[seen?.["status"] ?? seen?.["error"], seen?.["answer"]].filter(Boolean).join(" ") ||
                  seen?.["condition"]}
              </p>
            )}
            <Answer answer={answers.get(place + 1)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Step({ request }: { readonly request: BugRequest }) {
  const { type, person, text, body, path, after_ms: afterMs, with_previous: isTogether } = request;
  const when = isTogether
    ? "at the same moment"
    : afterMs === null || afterMs === 0
      ? null
      : `${formatDuration(afterMs)} later`;
  return (
    <>
      <p class="bug-request">
        <Badge>{type === "" ? "no event type" : type}</Badge>
        {person !== null && <span class="design-mono">{person === "" ? "no number" : person}</span>}
        {text !== null && <q>{text}</q>}
        {when !== null && <span class="design-muted">{when}</span>}
      </p>
      <details class="bug-body">
        <summary>the request</summary>
        <pre tabIndex={0} aria-label="Body of the request">
          {path === null ? body : `POST ${path}\n\n${body}`}
        </pre>
      </details>
    </>
  );
}

function Answer({ answer }: { readonly answer: BugAnswer | undefined }) {
  if (answer === undefined) return null;
  const { text, ms, reply, status } = answer;
  const isGood = status !== null && status < 400;
  return (
    <p class={isGood ? "bug-answer" : "bug-answer bug-answer-bad"}>
      now: {reply === null ? text : `${status ?? ""} and the reply “${reply}”`}{" "}
      <span class="design-muted">in {formatDuration(ms)}</span>
    </p>
  );
}
