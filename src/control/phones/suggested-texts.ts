import type { PersonDetails } from "../../console/index.js";
import type { Scenario } from "../../scenario/index.js";
import type { Distribution } from "../../sim/index.js";
import { groupsOf, type Selector } from "../../world/index.js";

/** Most suggestions of each kind. */
const SUGGESTED_MAX = 4;

/**
 * What a person of the scenario would text: bodies of its traffic from their group, and answers of their group to
 * questions. Of somebody without traffic, those of the people who text the same handsets. Draws nothing.
 *
 * @param who - a selector of one person @param home - the person's handset
 */
export function suggestedTexts(
  { cast: { traffic, people } }: Pick<Scenario, "cast">,
  who: string,
  home: string | undefined,
): Pick<PersonDetails["suggested"], "texts" | "replies"> {
  const group = who.split("/")[0] ?? "";
  const village = home?.split("/")[0] ?? "";
  const bodies = traffic.filter(({ kind }) => kind === "texts");
  const own = bodies.filter((entry) => isOf(entry.people, group));
  const texts = own.length > 0 ? own : bodies.filter((entry) => isOf(entry.handsets, village));
  const kin = people.filter(({ name }) => name === group && name !== "");
  const habits = [...kin, ...people.filter(({ of }) => isOf(of, village))].find(({ replies }) => replies !== undefined);
  const [replies] = habits?.replies === undefined ? [] : [habits.replies].flat();
  return {
    texts: distinct(texts.flatMap(({ body }) => (body === undefined ? [] : valuesOf(body)))),
    replies: replies === undefined ? [] : distinct(valuesOf(replies.with)),
  };
}

function isOf(selector: Selector, group: string): boolean {
  return groupsOf(selector).some((one) => one.group === group);
}

/** The values of a distribution that are written in the scenario, the likely ones first. */
function valuesOf(distribution: Distribution<string>): string[] {
  switch (distribution.kind) {
    case "fixed":
      return [distribution.value];
    case "pick":
      return distribution.of.flatMap(valuesOf);
    case "weighted":
      return distribution.of.toSorted((a, b) => b.weight - a.weight).flatMap(({ value }) => valuesOf(value));
    default:
      return [];
  }
}

export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, SUGGESTED_MAX);
}
