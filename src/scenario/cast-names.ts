import type { Selector } from "../world/index.js";
import { suggest } from "./sheet/nearest.js";
import { readSelection, type Selection } from "./fields/values/selector.js";
import { shown, type Tell } from "./sheet/written.js";

/** The keys of verbs and traffic that hold selectors. */
export const selectorKeys = ["of", "from", "to", "via", "person"] as const;

/** What stands for all entries of traffic together. */
export const allTraffic = "all";

/** Whom a selector may mean. */
export type Kind = "handsets" | "people";

/** What verbs need to know of an entry of `traffic`. */
export interface TrafficName {
  readonly name?: string;
  /** Of how many its rate is each. */
  readonly each: number;
  /** Its arrivals come at given times: it has no rate. */
  readonly isTimed: boolean;
}

/** The groups of a scenario and how many members each has (undefined where the file does not say so rightly). */
export class CastNames {
  readonly #groups: Readonly<Record<Kind, ReadonlyMap<string, number | undefined>>>;
  readonly #unread: ReadonlySet<Kind>;
  /** In file order. */
  readonly traffic: readonly TrafficName[];

  /** @param unread - the kinds whose groups could not be read: what is said of that needs no word at each selector */
  constructor(
    groups: Readonly<Record<Kind, ReadonlyMap<string, number | undefined>>>,
    unread: ReadonlySet<Kind>,
    traffic: readonly TrafficName[] = [],
  ) {
    this.#groups = groups;
    this.#unread = unread;
    this.traffic = traffic;
  }

  /** The same groups, with these entries of traffic. */
  withTraffic(traffic: readonly TrafficName[]): CastNames {
    return new CastNames(this.#groups, this.#unread, traffic);
  }

  /** Of which kind a group is; undefined when there is none of that name. */
  kindOf(group: string): Kind | undefined {
    if (this.#groups.handsets.has(group)) return "handsets";
    return this.#groups.people.has(group) ? "people" : undefined;
  }

  names(kind: Kind): string[] {
    return [...this.#groups[kind].keys()];
  }

  /** A first look at a value that may be a selector, where its surroundings cannot be read: does its group exist? */
  glance(value: unknown, tell: Tell): void {
    const selection = typeof value === "string" ? readSelection()(value, () => undefined) : undefined;
    if (selection === undefined || this.kindOf(selection.group) !== undefined || this.#unread.size > 0) return;
    // `of: all` and `of: storm` may be traffic's.
    if (selection.group === allTraffic || this.traffic.some(({ name }) => name === selection.group)) return;
    tell({
      code: "unknown-group",
      message: `names no group: '${selection.group}'`,
      hint: () => suggest(selection.group, [...this.names("handsets"), ...this.names("people")]),
    });
  }

  /** Holds a selection against the cast. Where it does not fit, the problem is told and some selector returned. */
  select(selection: Selection, kind: Kind, tell: Tell): Selector {
    const { group, text } = selection;
    const groups = this.#groups[kind];
    const members = groups.get(group);
    if (!groups.has(group)) this.#unknown(selection, kind, tell);
    const last = Math.max(selection.from ?? 0, (members ?? 1) - 1);
    const selector: Selector = {
      group,
      from: selection.from ?? 0,
      to: selection.to ?? last,
      share: selection.share,
    };
    if (members !== undefined && selector.to > members - 1) {
      const bounds = members === 1 ? "has one member, 0" : `has ${members} members, 0..${members - 1}`;
      tell({
        code: "beyond-group",
        message: `selects ${shown(text)}, but ${group} ${bounds}`,
        hint:
          selection.from === selection.to
            ? `the last one is ${group}/${members - 1}`
            : `write ${group} for all of them`,
      });
    }
    return selector;
  }

  #unknown({ group }: Selection, kind: Kind, tell: Tell): void {
    const other = this.kindOf(group);
    if (other === undefined && this.#unread.has(kind)) return;
    const noun = kind === "handsets" ? "handsets" : "people";
    tell({
      code: "unknown-group",
      message:
        other === undefined
          ? `names no group of ${noun}: '${group}'`
          : `must name ${noun}, but '${group}' is a group of ${other}`,
      hint: () => {
        const names = this.names(kind);
        return names.length === 0 ? `the scenario has no ${noun}` : suggest(group, names);
      },
    });
  }
}
