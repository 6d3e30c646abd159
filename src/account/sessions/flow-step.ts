import type { Run } from "../../flow/index.js";
import type { FlowStep } from "../../gateway/index.js";
import { cutText } from "../../wire/index.js";
import type { FlowRow } from "../flows.js";
import { RUN_PATH_MAX } from "../runs.js";

/**
 * Most characters of a text in a flow event: the limit of a result's value
 * (docs/reference/flows.md#routers-and-results).
 */
const TEXT_MAX = 640;

/** Where a run makes an HTTP call. */
interface FlowPlace {
  readonly phone: string;
  readonly flow: FlowRow;
  /** ISO 639-3; "und": unset. */
  readonly language: string;
  /** UUID of the node. */
  readonly node: string;
}

/**
 * The step that a `flow` event posts (docs/reference/flows.md#flow-events). Its size is bounded: it has at most as
 * many answers as a run keeps steps, the newest ones, and cuts their texts like results.
 */
export function flowStepOf({ answers }: Run, { phone, flow, language, node }: FlowPlace): FlowStep {
  const values = answers
    .filter(({ isRuleSet }) => isRuleSet)
    .toSorted((a, b) => a.arrivedAtMs - b.arrivedAtMs)
    .slice(-RUN_PATH_MAX)
    .map(({ label, category, value, text, atMs }) => ({
      label: cutText(label, TEXT_MAX),
      category: cutText(category, TEXT_MAX),
      value: cutText(value, TEXT_MAX),
      text: cutText(text, TEXT_MAX),
      time: atMs,
    }));
  return {
    phone,
    flow: flow.id,
    name: cutText(flow.name, TEXT_MAX),
    language: cutText(language, TEXT_MAX),
    step: cutText(node, TEXT_MAX),
    values,
  };
}
