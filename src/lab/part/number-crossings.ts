import type { Scenario, StoryInput } from "../../scenario/index.js";
import { memberOf, type Parts, phoneOf, type PhonePattern, type Selector } from "../../world/index.js";

/** A step that gives a number to handsets: to their SIM, or to their channel at the service. */
interface Numbering {
  readonly kind: "sim" | "channel";
  readonly of: Selector;
  readonly phone: PhonePattern;
}

/** Steps that move a number from a phone of one part to a phone of another: the parts would differ from the whole. */
export function numberCrossings(scenario: Scenario, parts: Parts): { readonly line: number; readonly why: string }[] {
  const partByNumber = { sim: new Map<string, number>(), channel: new Map<string, number>() };
  return scenario.story.flatMap(({ line, input, occurrence = 0 }) => {
    const numbering = occurrence > 0 ? undefined : numberingOf(input);
    if (numbering === undefined) return [];
    const { kind, of, phone } = numbering;
    const selection = parts.handsets.select(of);
    for (let index = 0; index < selection.count; index++) {
      const place = selection.at(index);
      const number = phoneOf(phone, parts.handsets.memberAt(place).member);
      const part = parts.ofHandset(place);
      const before = partByNumber[kind].get(number) ?? partOfNumber(scenario, parts, { kind, number });
      if (before !== undefined && before !== part) {
        const what =
          kind === "sim" ? `the SIM with ${number} would move` : `the number ${number} would be claimed twice,`;
        return [{ line, why: `${what} from a phone of part ${before} to one of part ${part}` }];
      }
      partByNumber[kind].set(number, part);
    }
    return [];
  });
}

function numberingOf(step: StoryInput): Numbering | undefined {
  if (step.to === "world" && step.input.verb === "sim" && step.input.phone !== undefined) {
    return { kind: "sim", of: step.input.of, phone: step.input.phone };
  }
  if (step.to !== "gateway" || step.input.verb !== "claim" || (step.input.phone ?? "") === "") return undefined;
  const { of, phone = "" } = step.input;
  return { kind: "channel", of, phone: { prefix: phone, first: 0, digits: 0, suffix: "" } };
}

/** The part of the handset that has a number at the start; undefined: none has it. */
function partOfNumber(
  { cast }: Scenario,
  parts: Parts,
  { kind, number }: { readonly kind: Numbering["kind"]; readonly number: string },
): number | undefined {
  const place = parts.handsets.placeOf(number);
  if (place !== undefined) return parts.ofHandset(place);
  if (kind === "channel") return undefined;
  for (const { name, count, secondSim } of cast.handsets) {
    const member = secondSim && memberOf({ phone: secondSim.phone, count }, number);
    if (member === undefined) continue;
    return parts.ofHandset(parts.handsets.select({ group: name, from: member, to: member }).at(0));
  }
  return undefined;
}
