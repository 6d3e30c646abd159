/** The built-in bugs of the bundled receiver: each replaces a step of its right application, the logbook. */
import { LabError } from "../../base/index.js";
import type { ChangeSteps } from "../logbook/steps.js";
import { connectionBugs } from "./connections.js";
import { conversationBugs } from "./conversations.js";
import { courseBugs } from "./courses.js";
import { doublesBugs } from "./doubles.js";
import { fieldBugs } from "./fields.js";
import type { ReceiverBug } from "./receiver-bug.js";
import { replyBugs } from "./replies.js";
import { reportBugs } from "./reports.js";
import { textBugs } from "./texts.js";
import { timeBugs } from "./times.js";

export type { ReceiverBug } from "./receiver-bug.js";

/** Built-in bugs that a few requests can show, by families: the audit's trials find them. */
export const receiverBugs: readonly ReceiverBug[] = [
  ...doublesBugs,
  ...reportBugs,
  ...fieldBugs,
  ...textBugs,
  ...timeBugs,
  ...replyBugs,
  ...connectionBugs,
];

/**
 * Built-in bugs that a course of days shows, in which phones, network and service play their part: the scenarios of
 * `scenarios/field/` find them.
 */
export const storyBugs: readonly ReceiverBug[] = [...conversationBugs, ...courseBugs];

/**
 * The changes that named bugs make to the logbook.
 *
 * @throws LabError `bad-options` for a name that no bug has
 */
export function changesOf(names: readonly string[]): ChangeSteps[] {
  return names.map((name) => {
    const bug = [...receiverBugs, ...storyBugs].find((one) => one.name === name);
    if (bug !== undefined) return bug.change;
    throw new LabError("bad-options", `the bundled receiver has no bug '${name}'`, {
      hint: "handset receive --bugs lists them",
    });
  });
}
