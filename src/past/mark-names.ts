import { formatCount } from "../report/index.js";
import type { Cast, GroupSelector, Selector, World } from "../world/index.js";
import type { ActNames } from "./act-names.js";

/** The names that the texts of marks contain. */
export interface MarkNames extends ActNames {
  /** The name of a channel's handset. */
  readonly handset: (channel: number) => string;
}

/** Names for people, groups and single members: `Amina Sorel`, `clinic`, `clinic/3`. */
export function markNames(cast: Cast, world: Pick<World, "person" | "population">): MarkNames {
  const { population } = world;
  const personName = (place: number): string | undefined => world.person(place).name;
  return {
    handset: (channel) => population.nameOfHandset(channel),
    handsets: (of) => membersText(of, cast.handsets, "phones"),
    people: (choice) => {
      if (!("phone" in choice)) {
        const isOne = !("parts" in choice) && choice.from === choice.to && choice.share === undefined;
        const [place] = isOne ? population.peopleOf(choice) : [];
        return (place === undefined ? undefined : personName(place)) ?? membersText(choice, cast.people, "people");
      }
      const place = population.personByPhone(choice.phone);
      return (place === undefined ? undefined : personName(place)) ?? choice.phone;
    },
    traffic: (place) => cast.traffic[place]?.name ?? String(place),
  };
}

function membersText(selector: Selector, groups: Groups, noun: string): string {
  const members =
    "parts" in selector
      ? selector.isAll === true
        ? `all ${noun}`
        : selector.parts.map((part) => membersText(part, groups, noun)).join(", ")
      : groupText(selector, groups, noun);
  const { share } = selector;
  return share === undefined ? members : `${Number((100 * share).toPrecision(3))} % of ${members}`;
}

function groupText({ group, from, to }: GroupSelector, groups: Groups, noun: string): string {
  const known = groups.find(({ name }) => name === group);
  if (from === 0 && to + 1 === known?.count) return typeof known.displayName === "string" ? known.displayName : group;
  return from === to ? `${group}/${from}` : `${formatCount(to + 1 - from)} ${noun} of ${group}`;
}

type Groups = readonly { readonly name: string; readonly count: number; readonly displayName?: unknown }[];
