import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { BugAnswer, BugFile, BugRequest, PlayedBug } from "../../protocol/index.js";
import { Badge, Button } from "../design/index.js";
import { formatCounted, formatDuration, visibleText } from "../format/index.js";
import { type Gap, foldSteps } from "./fold-steps.js";

/** The requests of a bug file as steps, each with what is right, what came and, once it is played, what comes now. */
export function BugSteps({ bug, played }: { readonly bug: BugFile; readonly played: PlayedBug | undefined }) {
  const { requests, right, seen } = bug;
  const [isWhole, setIsWhole] = useState(false);
  if (requests.length === 0) return null;
  const wrongThen = Number(seen?.["request"] ?? Number.NaN);
  const judged = right.flatMap(({ request }) => (request === null ? [] : [request]));
  const marked = [...judged, wrongThen].map((number) => number - 1);
  const rows = foldSteps(requests.length, isWhole ? "all" : marked);
  return (
    <section class="design-stack-tight" aria-label="Steps">
      <h3>{formatCounted(requests.length, "request")}</h3>
      <ol class="bug-steps">
        {rows.map((row) =>
          typeof row === "number" ? (
            <OneStep key={row} place={row} bug={bug} played={played} isWrong={wrongThen === row + 1} />
          ) : (
            <LeftOut key={`gap ${row.from}`} gap={row} onShow={() => setIsWhole(true)} />
          ),
        )}
      </ol>
    </section>
  );
}

function LeftOut({ gap: { from, count }, onShow }: { readonly gap: Gap; readonly onShow: () => void }) {
  return (
    <li class="bug-gap">
      <Button size="small" onPress={onShow}>
        Show requests {from + 1} to {from + count}
      </Button>
    </li>
  );
}

function OneStep({
  place,
  bug: { requests, right, seen },
  played,
  isWrong,
}: {
  readonly place: number;
  readonly bug: BugFile;
  readonly played: PlayedBug | undefined;
  /** Whether the failure was seen here. */
  readonly isWrong: boolean;
}) {
  const request = requests[place];
  if (request === undefined) return null;
  const rights = right.filter((one) => one.request === place + 1);
  const answer = played?.answers.find((one) => one.request === place + 1);
  const broken = right.some((one, at) => one.request === place + 1 && played?.expectations[at]?.held === false);
  const came = [seen?.["status"], seen?.["error"], seen?.["answer"]].filter(Boolean).join(" ") || seen?.["condition"];
  return (
    <li value={place + 1} class={isWrong ? "bug-step bug-step-wrong" : "bug-step"}>
      <Step request={request} />
      <dl class="bug-lines">
        {rights.map(({ text, words }) => (
          <Line key={text} name="right" tone="good">
            {words}
          </Line>
        ))}
        {isWrong && came !== undefined && (
          <Line name="came" tone="bad">
            {visibleText(came)}
          </Line>
        )}
        {answer !== undefined && <Now answer={answer} isJudged={rights.length > 0} isBroken={broken} />}
      </dl>
    </li>
  );
}

function Line({
  name,
  tone,
  children,
}: {
  readonly name: string;
  readonly tone: "good" | "bad" | "plain";
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`bug-line bug-line-${tone}`}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Now({
  answer: { text, ms, reply, status },
  isJudged,
  isBroken,
}: {
  readonly answer: BugAnswer;
  readonly isJudged: boolean;
  readonly isBroken: boolean;
}) {
  // An answer that no expectation judges may be an error, too.
  const isBad = isJudged ? isBroken : status === null || status >= 400;
  return (
    <Line name="now" tone={isBad ? "bad" : isJudged ? "good" : "plain"}>
      {visibleText(reply === null ? text : `${status ?? ""} and the reply “${reply}”`)}{" "}
      <span class="design-muted">in {formatDuration(ms)}</span>
    </Line>
  );
}

function Step({ request }: { readonly request: BugRequest }) {
  const { type, person, text, body, path, after_ms: afterMs, with_previous: isTogether } = request;
  const when = isTogether
    ? "at the same moment, on another connection"
    : afterMs === null || afterMs === 0
      ? null
      : `${formatDuration(afterMs)} later`;
  return (
    <>
      <p class="bug-request">
        <Badge>{type === "" ? "no event type" : type}</Badge>
        {person !== null && <span class="design-mono">{person === "" ? "no number" : visibleText(person)}</span>}
        {text !== null && (text === "" ? <span class="design-muted">no text</span> : <q>{visibleText(text)}</q>)}
        {when !== null && <span class="design-muted">{when}</span>}
      </p>
      <details class="bug-body">
        <summary>the request</summary>
        <pre tabIndex={0} aria-label="Body of the request">
          {visibleText(path === null ? body : `POST ${path}\n\n${body}`)}
        </pre>
      </details>
    </>
  );
}
