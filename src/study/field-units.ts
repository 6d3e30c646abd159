import { disconnectsPhones, type Scenario } from "../scenario/index.js";
import { countSelected, groupsOf } from "../world/index.js";
import type { Quantity } from "./quantity.js";

/** How a value of a scenario is written in units of the field. */
export interface FieldUnits {
  /** `3,400 phones`, `120 texts/s`, `a reconnect storm of 800 phones`. */
  amount(value: number): string;
  /** The number with its unit: `3,400`, `120/s`. */
  number(value: number): string;
  /** The value per phone and per day, or as a share; undefined: no such form. */
  besides(value: number): string | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Finds the units of the field for a value.
 *
 * @param options - `path`: of the value; `scenarioAt`: the scenario with another value in its place
 */
export function fieldUnits(
  quantity: Quantity,
  options: { readonly path: string; readonly scenarioAt: (value: number) => Scenario },
): FieldUnits {
  const { path, scenarioAt } = options;
  const [part = "", name = "", verb = "", argument = ""] = path.split(".");
  const nothing = (): undefined => undefined;
  const { spell } = quantity;
  const spelled = (value: number): string => `${path} = ${spell(value)}`;
  const sized = (noun: string) => (value: number) => `${count(value)} ${value === 1 ? noun.replace(/s$/, "") : noun}`;

  if (quantity.kind === "count" && verb === "count" && part === "handsets") {
    return { amount: sized("phones"), number: count, besides: nothing };
  }
  if (quantity.kind === "count" && verb === "count" && part === "people") {
    return { amount: (value) => `${count(value)} people`, number: count, besides: nothing };
  }
  if (quantity.kind === "rate" && part === "traffic") {
    const index = Number(name);
    const kind = scenarioAt(quantity.value).cast.traffic[index]?.kind ?? "events";
    return {
      amount: (value) => `${count(value)} ${kind}${quantity.unit}`,
      number: (value) => `${count(value)}${quantity.unit}`,
      besides: (value) => perPhone(scenarioAt(value), index),
    };
  }
  if (part === "story" && argument === "of" && quantity.group !== undefined) {
    const members = membersOf(scenarioAt(quantity.value), quantity.group);
    const storm = disconnectsPhones(verb) ? "a reconnect storm of" : `'${verb}' of`;
    const phones = (value: number): number =>
      quantity.kind === "share" ? Math.max(1, Math.round((members * value) / 100)) : value;
    return {
      amount: (value) => `${storm} ${sized("phones")(phones(value))}`,
      number: (value) => count(phones(value)),
      besides: quantity.kind === "share" ? spell : nothing,
    };
  }
  if (part === "story" && argument === "for" && disconnectsPhones(verb)) {
    return { amount: (value) => `an outage of ${spell(value)}`, number: spell, besides: nothing };
  }
  return { amount: spelled, number: spell, besides: nothing };
}

/** A rate per day and per phone; undefined: the rate changes in steps. */
function perPhone(scenario: Scenario, index: number): string | undefined {
  const entry = scenario.cast.traffic[index];
  if (entry === undefined || entry.shape.kind === "pieces") return undefined;
  const { handsets } = entry;
  if (groupsOf(handsets).some(({ group }) => membersOf(scenario, group) === 0)) return undefined;
  const phones = countSelected(handsets);
  const aDay = entry.shape.perMs * DAY_MS;
  const known = (value: number): string => count(Number(value.toPrecision(3)));
  return `${known(aDay)} ${entry.kind} a day, ${known(aDay / phones)} for each of ${count(phones)} ${phones === 1 ? "phone" : "phones"}`;
}

function membersOf({ cast }: Scenario, group: string): number {
  return [...cast.handsets, ...cast.people].find(({ name }) => name === group)?.count ?? 0;
}

/** A number with separators; three significant digits if it has a fraction. */
function count(value: number): string {
  const number = Number.isInteger(value) || value >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return number.toLocaleString("en-US");
}
