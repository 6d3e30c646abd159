import type { Scenario } from "../../scenario/index.js";
import { memberOf, type Parts, phoneOf } from "../../world/index.js";

/** Steps of the story that would move a SIM from a phone of one part to a phone of another. */
export function simCrossings(scenario: Scenario, parts: Parts): { readonly line: number; readonly why: string }[] {
  const parted = new Map<string, number>();
  return scenario.story.flatMap(({ line, input: step, occurrence = 0 }) => {
    if (step.to !== "world" || step.input.verb !== "sim" || occurrence > 0) return [];
    const { of, phone } = step.input;
    if (phone === undefined) return [];
    const selection = parts.handsets.select(of);
    for (let index = 0; index < selection.count; index++) {
      const place = selection.at(index);
      const number = phoneOf(phone, parts.handsets.memberAt(place).member);
      const part = parts.ofHandset(place);
      const before = parted.get(number) ?? partOfNumber(scenario, parts, number);
      if (before !== undefined && before !== part) {
        return [
          { line, why: `the SIM with ${number} would move from a phone of part ${before} to one of part ${part}` },
        ];
      }
      parted.set(number, part);
    }
    return [];
  });
}

/** The part of the handset that has a number at the start; undefined: none has it. */
function partOfNumber({ cast }: Scenario, parts: Parts, number: string): number | undefined {
  const place = parts.handsets.placeOf(number);
  if (place !== undefined) return parts.ofHandset(place);
  for (const { name, count, secondSim } of cast.handsets) {
    const member = secondSim && memberOf({ phone: secondSim.phone, count }, number);
    if (member === undefined) continue;
    return parts.ofHandset(parts.handsets.select({ group: name, from: member, to: member }).at(0));
  }
  return undefined;
}
