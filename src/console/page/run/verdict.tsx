import type { RunVerdict } from "../../protocol/index.js";
import { Note } from "../design/index.js";

const tones: Readonly<Record<RunVerdict["state"], "good" | "warning" | "bad">> = {
  held: "good",
  "held with warnings": "warning",
  "not judged": "warning",
  failed: "bad",
};

const words: Readonly<Record<RunVerdict["state"], string>> = {
  held: "The run held",
  "held with warnings": "The run held, with warnings",
  "not judged": "The run cannot be judged",
  failed: "The run failed",
};

/** The verdict of a run that is over, as in its report. */
export function Verdict({ verdict }: { readonly verdict: RunVerdict }) {
  return (
    <Note tone={tones[verdict.state]}>
      <strong>{words[verdict.state]}</strong>
      <p>{verdict.headline}</p>
    </Note>
  );
}
