import type { FindingView, RunView } from "../../protocol/index.js";
import { linkTo } from "../navigation/routes.js";
import { Sentence } from "../domain/sentence.jsx";
import { Badge, type IconName, Panel, type Tone } from "../design/index.js";

const looks: Readonly<Record<FindingView["severity"], { word: string; icon: IconName; tone: Tone }>> = {
  problem: { word: "Problem", icon: "cross", tone: "bad" },
  warning: { word: "Warning", icon: "warning", tone: "warning" },
  fact: { word: "Note", icon: "info", tone: "note" },
};

/** Findings about the receiver, worst first. */
export function Findings({ run }: { readonly run: RunView | undefined }) {
  const findings = run?.findings ?? [];
  const isOver = run?.isOver === true;
  return (
    <Panel
      title="Findings"
      about={`${isOver ? "Of the whole run." : "Of the run so far, read every few seconds."} Times count from its start, as in the charts, in ${run?.findingsClock ?? "real"} time.`}
    >
      {findings.length === 0 ? (
        <p class="design-muted">{isOver ? "Nothing unusual was found." : "Nothing unusual so far."}</p>
      ) : (
        <ul role="list" class="run-list">
          {findings.map(({ severity, text, affected }) => (
            <li key={text}>
              <Badge tone={looks[severity].tone} icon={looks[severity].icon}>
                {looks[severity].word}
              </Badge>
              <span>
                <Sentence text={text} />
                {affected !== null && (
                  <>
                    {" "}
                    <a href={linkTo("events", [], { affected })}>Show the events</a>
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
