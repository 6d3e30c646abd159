import type { Selector } from "../world/index.js";
import { suggest } from "./sheet/nearest.js";
import { readSelection, type Selection } from "./fields/values/selector.js";
import { describeValue, type ReportProblem } from "./sheet/raw-value.js";

/** The keys of verbs and traffic that hold selectors. */
export const selectorKeys = ["of", "from", "to", "via", "person", "contains", "lacks"] as const;

/** The name for all entries of traffic together. */
export const allTraffic = "all";

/** What a selector selects. */
export type CastKind = "handsets" | "people";

/** The properties of an entry of `traffic` that verbs need. */
export interface TrafficName {
  readonly name?: string;
  /** Number of members to each of which the rate applies; 1: the rate is of the whole entry. */
  readonly each: number;
  /** A file lists the times of its arrivals, so it has no rate. */
  readonly isTimed: boolean;
}

/** The groups of a scenario with their member counts; undefined: the count in the file is invalid. */
export class CastNames {
  readonly #groups: Readonly<Record<CastKind, ReadonlyMap<string, number | undefined>>>;
  readonly #unread: ReadonlySet<CastKind>;
  /** In file order. */
  readonly traffic: readonly TrafficName[];
  readonly carriers: readonly string[];
  readonly #withheld: ReadonlySet<string>;

  /**
   * @param unread - kinds whose groups could not be read; selectors of unknown groups are then not reported
   * @param names - `withheld`: groups of people who withhold their number
   */
  constructor(
    groups: Readonly<Record<CastKind, ReadonlyMap<string, number | undefined>>>,
    unread: ReadonlySet<CastKind>,
    {
      traffic = [],
      carriers = [],
      withheld = new Set(),
    }: {
      traffic?: readonly TrafficName[];
      carriers?: readonly string[];
      withheld?: ReadonlySet<string>;
    } = {},
  ) {
    this.#groups = groups;
    this.#unread = unread;
    this.traffic = traffic;
    this.carriers = carriers;
    this.#withheld = withheld;
  }

  /** A copy with the names of carriers and entries of traffic. */
  with(names: { readonly traffic: readonly TrafficName[]; readonly carriers: readonly string[] }): CastNames {
    return new CastNames(this.#groups, this.#unread, { ...names, withheld: this.#withheld });
  }

  /** Reports people who withhold their number: nobody can call them or write to them. */
  checkHasNumber({ group, text }: Selection, report: ReportProblem): void {
    if (!this.#withheld.has(group)) return;
    report({
      code: "bad-selector",
      message: `selects ${describeValue(text)}, who withhold their number: nobody can call them or write to them`,
      hint: "give the group numbers with 'phone', or choose another",
    });
  }

  /** The kind of a group; undefined: no group has that name. */
  kindOf(group: string): CastKind | undefined {
    if (this.#groups.handsets.has(group)) return "handsets";
    return this.#groups.people.has(group) ? "people" : undefined;
  }

  groupNames(kind: CastKind): string[] {
    return [...this.#groups[kind].keys()];
  }

  /** Reports an unknown group of a selector in arguments that could not be read. */
  checkGroupExists(value: unknown, report: ReportProblem): void {
    const selection = typeof value === "string" ? readSelection()(value, () => undefined) : undefined;
    if (selection === undefined || this.kindOf(selection.group) !== undefined || this.#unread.size > 0) return;
    if (this.carriers.includes(selection.group)) return;
    // `of: all` and `of: storm` may be traffic's.
    if (selection.group === allTraffic || this.traffic.some(({ name }) => name === selection.group)) return;
    report({
      code: "unknown-group",
      message: `names no group: '${selection.group}'`,
      hint: () => suggest(selection.group, [...this.groupNames("handsets"), ...this.groupNames("people")]),
    });
  }

  /** Resolves a selection against the cast. If it does not fit, reports the problem and returns a placeholder. */
  resolveSelection(selection: Selection, kind: CastKind, report: ReportProblem): Selector {
    const { group, text } = selection;
    const groups = this.#groups[kind];
    const members = groups.get(group);
    if (!groups.has(group)) this.#reportUnknownGroup(selection, kind, report);
    const last = Math.max(selection.from ?? 0, (members ?? 1) - 1);
    const selector: Selector = {
      group,
      from: selection.from ?? 0,
      to: selection.to ?? last,
      share: selection.share,
    };
    if (members !== undefined && selector.to > members - 1) {
      const bounds = members === 1 ? "has one member, 0" : `has ${members} members, 0..${members - 1}`;
      report({
        code: "beyond-group",
        message: `selects ${describeValue(text)}, but ${group} ${bounds}`,
        hint:
          selection.from === selection.to
            ? `the last one is ${group}/${members - 1}`
            : `write ${group} for all of them`,
      });
    }
    return selector;
  }

  #reportUnknownGroup({ group }: Selection, kind: CastKind, report: ReportProblem): void {
    const other = this.kindOf(group);
    if (other === undefined && this.#unread.has(kind)) return;
    const noun = kind === "handsets" ? "handsets" : "people";
    report({
      code: "unknown-group",
      message:
        other === undefined
          ? `names no group of ${noun}: '${group}'`
          : `must name ${noun}, but '${group}' is a group of ${other}`,
      hint: () => {
        const names = this.groupNames(kind);
        return names.length === 0 ? `the scenario has no ${noun}` : suggest(group, names);
      },
    });
  }
}
