import type { Option } from "commander";
import { parseHandValue } from "../../scenario/index.js";
import { UsageError } from "../failures.js";
import { repeatable } from "./repeatable.js";
import { type SetOption, setOption } from "./set-options.js";

const example = "write --delivery answers-lost=10% --delivery types=mo_sms";

/** `--delivery` of the commands that send events. */
export function deliveryValue(): Option {
  return repeatable(
    "--delivery <key=value>",
    "trouble on the way to the receiver, as the verb delivery: answers-lost=10%, delay=1s..90s, copies=2, types=mo_sms…; repeatable",
  );
}

/** The values of `--delivery` as overrides of the scenario. @throws UsageError for one without `=` */
export function deliverySets(values: readonly string[]): SetOption[] {
  return pairsOf(values).map(([key, value]) => setOption("--delivery", `delivery.${key}`, value));
}

/** The values of `--delivery` as arguments of the verb; undefined: there are none. @throws UsageError */
export function deliveryArguments(values: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (values.length === 0) return undefined;
  return Object.fromEntries(
    pairsOf(values).map(([key, text]) => {
      const parsed = parseHandValue(text);
      if ("problem" in parsed) throw new UsageError(`--delivery ${key}: ${parsed.problem}`, example);
      return [key, parsed.value];
    }),
  );
}

/** One value may hold several pairs, with commas between them. */
function pairsOf(values: readonly string[]): [key: string, value: string][] {
  return values
    .flatMap((value) => value.split(/,(?=[a-z-]+=)/))
    .map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new UsageError(`--delivery needs KEY=VALUE, got '${pair}'`, example);
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    });
}
