import type { FlowNode } from "./definition.js";

/** Longest title of a node, in characters. */
const TITLE_MAX = 60;

/**
 * What a node does, in a few words: `"How old are you?"; wait for Age`.
 *
 * @param asWritten - gives the text that the author of a migrated flow wrote
 */
export function nodeTitle({ actions, router }: FlowNode, asWritten: (text: string) => string = (text) => text): string {
  const waits = router?.wait === undefined ? "" : "wait";
  const split =
    router === undefined
      ? ""
      : router.type === "switch"
        ? `split ${asWritten(router.operand)}`
        : `split ${router.type}`;
  const name = router?.resultName === undefined || router.resultName === "" ? "" : `for ${router.resultName}`;
  const acts = actions.map((action) => {
    if (action.type === "unsupported") return action.name;
    return "text" in action && action.text !== "" ? `"${asWritten(action.text)}"` : action.type;
  });
  const words = [...acts, [waits === "" ? split : waits, name].filter((part) => part !== "").join(" ")];
  const title = words
    .filter((part) => part !== "")
    .join("; ")
    .replaceAll(/\s+/g, " ");
  return title.length > TITLE_MAX ? `${title.slice(0, TITLE_MAX - 1)}…` : title;
}
