import * as z from "zod";
import { type TrafficChange, type TrafficState, trafficStates } from "../../world/index.js";
import { allTraffic } from "../cast-names.js";
import { field, type Field, keyed, keysOf } from "../sheet/field.js";
import { rate, times, word } from "../fields/fields.js";
import { nearest } from "../sheet/nearest.js";
import { scalar } from "../fields/values/scalar.js";
import { namePattern } from "../fields/values/selector.js";
import { forTime, type StepContext, toWorld, verb } from "./verb.js";
import { keyConflict, describeValue } from "../sheet/raw-value.js";

const changes = ["times", "rate", "state"] as const;

function entryField(about: string): Field<string, string | number> {
  const form = new RegExp(`^(${namePattern}|[0-9]+)$`);
  const wanted = "the name or number of an entry of traffic, or all";
  const read = scalar<string>(wanted, (text, report) => {
    if (form.test(text)) return text;
    report({ code: "bad-value", message: `must be ${wanted}, got ${describeValue(text)}` });
    return undefined;
  });
  return field(z.union([z.string().regex(form), z.int().min(0)]), read, about);
}

/** The verb `traffic`: scales, pauses, continues or ends traffic, or sets a rate. */
export const traffic = verb({
  name: "traffic",
  about: "Traffic is scaled, pauses, resumes or ends.",
  example: "{ at: 1h, traffic: { times: 3x, for: 10m } }",
  args: keyed({
    of: entryField("An entry: its name, or its number from 0; default: all, all traffic together.").optional(),
    times: times("A factor on the scenario's traffic.").optional(),
    rate: rate("A rate instead of the scenario's, of one entry.").optional(),
    state: word(trafficStates, "What would come in a pause is skipped; stopped: it ends for good.").optional(),
    for: forTime,
  }).meta(keysOf("oneOf", changes)),
  toInput: ({ of, for: forMs, ...given }, step) => {
    // A rate without `of` applies to the only entry.
    const meant = of === undefined && given.rate !== undefined && step.traffic.length === 1 ? "0" : of;
    const entries = entriesOf(meant, step);
    const change = changeOf(given, entries, step);
    if (given.state === "stopped" && forMs !== undefined) {
      step.reportProblem(["for"], keyConflict("what is stopped does not begin again", "write state: paused"));
    }
    return toWorld({ verb: "traffic", change, entries, forMs });
  },
});

/** The indexes of the selected entries; undefined: all together. */
function entriesOf(of: string | undefined, step: StepContext): readonly number[] | undefined {
  const { traffic: entries } = step;
  if (of === undefined || of === allTraffic) return undefined;
  const place = entries.findIndex(({ name }, index) => of === name || of === String(index));
  if (place !== -1) return [place];
  const message = `names no entry of traffic: '${of}'`;
  step.reportProblem(["of"], { code: "unknown-traffic", message, hint: () => entryHint(of, entries) });
  return [];
}

function entryHint(of: string, entries: StepContext["traffic"]): string {
  const names = entries.flatMap(({ name }) => name ?? []);
  const close = nearest(of, names);
  if (close !== undefined) return `did you mean '${close}'?`;
  const bounds = entries.length === 0 ? "there is no traffic" : `they are counted 0..${entries.length - 1}`;
  const listed = names.slice(0, 24).join(", ") + (names.length > 24 ? ", …" : "");
  return names.length === 0 ? bounds : `${bounds}; named: ${listed}`;
}

function changeOf(
  given: {
    readonly times?: number | undefined;
    readonly rate?: number | undefined;
    readonly state?: TrafficState | undefined;
  },
  entries: readonly number[] | undefined,
  step: StepContext,
): TrafficChange {
  const [first, second] = changes.filter((key) => given[key] !== undefined);
  if (first === undefined) {
    step.reportProblem([], { code: "missing-key", message: "needs 'times', 'rate' or 'state'", on: "key" });
  } else if (second !== undefined) {
    step.reportProblem([second], keyConflict(`'${first}' and '${second}' cannot both be`, "make two steps of it"));
  }
  if (given.state !== undefined) return { state: given.state };
  if (given.rate === undefined) return { times: given.times ?? 1 };
  const [place] = entries ?? [];
  const entry = place === undefined ? undefined : step.traffic[place];
  if (entries === undefined) {
    const message = "'rate' is that of one entry: 'traffic' needs 'of'";
    step.reportProblem(["rate"], {
      code: "missing-key",
      message,
      whole: true,
      on: "key",
      hint: "name it, or write times: 2x",
    });
  } else if (entry?.isTimed === true) {
    const message = "comes at the times of a file: it has no rate";
    step.reportProblem(["of"], { code: "not-together", message, hint: "write times: 2x" });
  }
  return { perMs: given.rate * (entry?.each ?? 1) };
}
