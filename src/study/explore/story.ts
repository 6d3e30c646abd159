import { durationLiteral, type RawValue, type WrittenTree } from "../../scenario/index.js";

/** A step that is added: its instant in virtual milliseconds since the start, and its verb with arguments. */
export interface AddedStep {
  readonly kind: "added";
  readonly atMs: number;
  readonly verb: string;
  readonly args: Readonly<Record<string, string>>;
}

/** One change of a scenario. */
export type Change =
  | AddedStep
  /** One of its own steps, by its index, happens at another instant. */
  | { readonly kind: "moved"; readonly place: number; readonly atMs: number }
  /** Virtual time begins at another timestamp. */
  | { readonly kind: "starts"; readonly at: string };

/** What is changed in a scenario. Of two changes of one thing, the later one counts. */
export type Story = readonly Change[];

/** The steps that a story adds. */
export function addedSteps(story: Story): AddedStep[] {
  return story.filter((change) => change.kind === "added");
}

/** The scenario with the changes of a story. */
export function storyTree(tree: WrittenTree, story: Story): WrittenTree {
  const own = [...ownSteps(tree)];
  let { starts } = tree;
  for (const change of story) {
    if (change.kind === "starts") starts = change.at;
    if (change.kind === "moved") own[change.place] = { ...own[change.place], at: durationLiteral(change.atMs) };
  }
  const added = addedSteps(story)
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ atMs, verb, args }): RawValue => ({ at: durationLiteral(atMs), [verb]: args }));
  return { ...tree, ...(starts !== undefined && { starts }), story: [...own, ...added] };
}

/** The steps that a scenario has of its own. */
export function ownSteps(tree: WrittenTree): readonly Readonly<Record<string, RawValue>>[] {
  const { story } = tree;
  return Array.isArray(story) ? (story as readonly Readonly<Record<string, RawValue>>[]) : [];
}
