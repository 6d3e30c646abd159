import type { Distribution } from "../../sim/index.js";
import { leastPercent, leastSpan, readPercents, readSpan } from "../fields/varying-fields.js";
import type { StoryInput, Variation, Variations } from "../scenario.js";
import { isMap, type RawValue, type Read } from "../sheet/raw-value.js";

/*
 * Arguments that may vary. A verb gets one number: the value, or the least one if it varies. `withVariations` then adds
 * the distribution to the input, and a number is drawn for each member when the step is performed. So verbs and the
 * world handle plain numbers only.
 */

/** The argument `for` of verbs whose effect ends. */
export const forTime = leastSpan("Until it is again as before; without it, it stays. _Varies._").optional();

/** The argument `down` of verbs that restart something. */
export const downTime = leastSpan("How long it takes until they run again. _Varies._").prefault("2m");

/** The argument `skew` of a clock. */
export const skewTime = leastSpan("How far ahead; 0s: right again. _Varies._", { signed: true });

/** The argument `level` of a battery. */
export const batteryLevel = leastPercent("The level; at 0% a phone dies. _Varies._");

interface VaryingArgument {
  /** The property of the input that has its value. */
  readonly property: string;
  readonly unit: Variation["unit"];
  readonly read: Read<Distribution<number>>;
}

const varyingArguments: readonly (readonly [name: string, VaryingArgument])[] = [
  ["for", { property: "forMs", unit: "ms", read: readSpan() }],
  ["down", { property: "downMs", unit: "ms", read: readSpan() }],
  ["skew", { property: "skewMs", unit: "signed-ms", read: readSpan({ signed: true }) }],
  ["per-hour", { property: "perHour", unit: "percent", read: readPercents() }],
  ["level", { property: "level", unit: "percent", read: readPercents() }],
];

/**
 * Adds the distributions of arguments that vary to a verb's input.
 *
 * @param args - the arguments as they are written
 * @param spell - writes a value on one line
 */
export function withVariations(
  step: StoryInput,
  args: RawValue | undefined,
  spell: (value: RawValue) => string,
): StoryInput {
  if (!isMap(args) || !("input" in step) || step.to === "account") return step;
  const found: Record<string, Variation> = {};
  for (const [name, { property, unit, read }] of varyingArguments) {
    const written = args[name];
    if (written === undefined || !(property in step.input)) continue;
    const values = read(written, () => undefined);
    if (values === undefined || values.kind === "fixed") continue;
    found[property] = { values, unit, argument: name, text: spell(written) };
  }
  return Object.keys(found).length === 0 ? step : { ...step, varies: found satisfies Variations };
}
