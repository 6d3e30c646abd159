import type { Chain, ChainStep } from "../../protocol/index.js";

/** A step, or the steps of copies that are folded into one line. */
export type ShownStep =
  | { readonly kind: "step"; readonly step: ChainStep; readonly gapMs: number }
  | { readonly kind: "fold"; readonly steps: readonly ChainStep[]; readonly copies: readonly string[] };

/** Up to this many copies are all shown. */
const COPIES_MAX = 5;

/** Fewest steps that are folded. */
const FOLDED_MIN = 3;

/**
 * Folds copies in the steps of a chain. Of many copies it shows the first two, the last, and the requested one: one
 * copy explains the others, and the requested one must be easy to find.
 */
export function foldCopies({ id, steps }: Pick<Chain, "id" | "steps">, isWhole: boolean): ShownStep[] {
  const copies = copiesIn(steps);
  const isFolded = !isWhole && copies.length > COPIES_MAX;
  const hidden = new Set(isFolded ? copies.slice(2, -1).filter((copy) => copy !== id) : []);
  const shown: ShownStep[] = [];
  let folded: ChainStep[] = [];
  const addStep = (step: ChainStep): void => {
    shown.push({ kind: "step", step, gapMs: step.at_ms - (steps[steps.indexOf(step) - 1] ?? step).at_ms });
  };
  const endFold = (): void => {
    if (folded.length >= FOLDED_MIN) shown.push({ kind: "fold", steps: folded, copies: copiesIn(folded) });
    else for (const step of folded) addStep(step);
    folded = [];
  };
  for (const step of steps) {
    if (step.event !== null && hidden.has(step.event)) {
      folded.push(step);
      continue;
    }
    endFold();
    addStep(step);
  }
  endFold();
  return shown;
}

/** The causes of the copies, each once; with several causes, each has its number of copies. */
export function copyCausesOf({ steps }: Pick<Chain, "steps">): string {
  const counts = new Map<string, number>();
  for (const { kind, copy_why: why } of steps) {
    if (kind === "event" && why !== null) counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  return [...counts]
    .map(([why, count]) => (counts.size === 1 ? why : `${why} (${count === 1 ? "once" : `${count} times`})`))
    .join("; ");
}

function copiesIn(steps: readonly ChainStep[]): string[] {
  return steps.flatMap(({ kind, event, copy_of: copyOf }) =>
    kind === "event" && event !== null && copyOf !== null ? [event] : [],
  );
}
