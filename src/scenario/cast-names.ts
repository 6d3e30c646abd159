import type { GroupSelector, Selector } from "../world/index.js";
import type { EventFacts } from "./event-facts.js";
import { suggest } from "./sheet/nearest.js";
import { everyGroup, readSelection, type Selection, type SelectionPart } from "./fields/values/selector.js";
import { describeValue, isList, type RawValue, type ReportProblem } from "./sheet/raw-value.js";

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
  /** Absent: not known. */
  readonly events: EventFacts | undefined;
  readonly #withheld: ReadonlySet<string>;
  readonly #unplaced: ReadonlySet<string>;

  /**
   * @param unread - kinds whose groups could not be read; selectors of unknown groups are then not reported
   * @param names - `withheld`: groups of people who withhold their number; `unplaced`: groups of handsets that have no
   *   `place`
   */
  constructor(
    groups: Readonly<Record<CastKind, ReadonlyMap<string, number | undefined>>>,
    unread: ReadonlySet<CastKind>,
    {
      traffic = [],
      carriers = [],
      events,
      withheld = new Set(),
      unplaced = new Set(),
    }: {
      traffic?: readonly TrafficName[];
      carriers?: readonly string[];
      events?: EventFacts;
      withheld?: ReadonlySet<string>;
      unplaced?: ReadonlySet<string>;
    } = {},
  ) {
    this.#groups = groups;
    this.#unread = unread;
    this.traffic = traffic;
    this.carriers = carriers;
    this.events = events;
    this.#withheld = withheld;
    this.#unplaced = unplaced;
  }

  /** A copy with the names of carriers and entries of traffic, and what filters of events are checked against. */
  with(names: {
    readonly traffic: readonly TrafficName[];
    readonly carriers: readonly string[];
    readonly events: EventFacts;
  }): CastNames {
    return new CastNames(this.#groups, this.#unread, {
      ...names,
      withheld: this.#withheld,
      unplaced: this.#unplaced,
    });
  }

  /** Reports a selection with people who withhold their number: nobody can call them or write to them. */
  checkHasNumber({ parts, text }: Selection, report: ReportProblem): void {
    const isWithheld = ({ group }: SelectionPart): boolean =>
      group === everyGroup ? this.#withheld.size > 0 : this.#withheld.has(group);
    if (!parts.some(isWithheld)) return;
    report({
      code: "bad-selector",
      message: `selects ${describeValue(text)}, who withhold their number: nobody can call them or write to them`,
      hint: "give the group numbers with 'phone', or choose another",
    });
  }

  /** The kind of a selection's groups; undefined for `all`, which both kinds have, and when no group has the name. */
  kindOfSelection({ parts }: Selection): CastKind | undefined {
    const [named] = parts.filter(({ group }) => group !== everyGroup);
    return named && this.kindOf(named.group);
  }

  /** Reports a selection with handsets that have no `place`, so that no sun can be computed for their panels. */
  checkHasPlace({ parts, text }: Selection, report: ReportProblem): void {
    const unplaced = parts.flatMap(({ group }) =>
      group === everyGroup ? [...this.#unplaced] : this.#unplaced.has(group) ? [group] : [],
    );
    if (unplaced.length === 0) return;
    report({
      code: "missing-key",
      message: `selects ${describeValue(text)}, but the sun needs a place, which ${unplaced.join(", ")} does not have`,
      hint: "write place: { lat: -1.95, lon: 30.06 } at the top of the scenario, or in the group",
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

  /** Reports unknown groups of a selector in arguments that could not be read. */
  checkGroupExists(value: RawValue | undefined, report: ReportProblem): void {
    const written = typeof value === "string" || isList(value) ? value : "";
    const selection = readSelection()(written, () => undefined);
    if (selection === undefined || this.#unread.size > 0) return;
    for (const { group } of selection.parts) {
      if (this.kindOf(group) !== undefined || this.carriers.includes(group)) continue;
      // `of: storm` may be traffic's.
      if (group === everyGroup || this.traffic.some(({ name }) => name === group)) continue;
      report({
        code: "unknown-group",
        message: `names no group: '${group}'`,
        hint: () => suggest(group, [...this.groupNames("handsets"), ...this.groupNames("people")]),
      });
    }
  }

  /**
   * Resolves a selection against the cast. If it does not fit, reports the problem and returns a placeholder.
   *
   * @param options - `isRepeated`: it is in a step of the story, the only place for a share that is drawn each time
   */
  resolveSelection(
    selection: Selection,
    kind: CastKind,
    report: ReportProblem,
    { isRepeated = false }: { readonly isRepeated?: boolean } = {},
  ): Selector {
    const { parts } = selection;
    if (!isRepeated && parts.some(({ isEachTime }) => isEachTime)) {
      report({
        code: "bad-selector",
        message: `only a step of the story draws a share each time: ${describeValue(selection.text)}`,
        hint: `write ${selection.text.replaceAll(/\s+each\s+time/g, "")}`,
      });
    }
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return this.#resolvePart(only, kind, report);
    const reportAt = (index: number): ReportProblem => {
      return (problem) => report({ ...problem, path: [index, ...(problem.path ?? [])] });
    };
    const resolved: GroupSelector[] = [];
    for (const [index, part] of parts.entries()) {
      const one = this.#resolvePart(part, kind, reportAt(index));
      if (!("parts" in one)) {
        if (resolved.some((other) => isOverlapping(one, other))) {
          reportAt(index)({
            code: "bad-selector",
            message: `selects members of ${one.group} that an entry before selects, too: ${part.text}`,
            hint: "each member is selected once: make one entry of the two",
          });
        }
        resolved.push(one);
        continue;
      }
      reportAt(index)({
        code: "bad-selector",
        message: `is '${everyGroup}', the word for every group: it cannot be in a list`,
        hint: `write ${part.text} alone`,
      });
    }
    return { parts: resolved };
  }

  #resolvePart(part: SelectionPart, kind: CastKind, report: ReportProblem): Selector {
    const { group, text, share, isEachTime } = part;
    const groups = this.#groups[kind];
    const drawing = { share, ...(isEachTime && { drawn: "each-time" as const }) };
    if (group === everyGroup) {
      if (groups.size === 0) this.#reportUnknownGroup(part, kind, report);
      const parts = Array.from(groups, ([name, count]) => ({ group: name, from: 0, to: (count ?? 1) - 1 }));
      return { parts, isAll: true, ...drawing };
    }
    const members = groups.get(group);
    if (!groups.has(group)) this.#reportUnknownGroup(part, kind, report);
    const last = Math.max(part.from ?? 0, (members ?? 1) - 1);
    const selector: GroupSelector = { group, from: part.from ?? 0, to: part.to ?? last, ...drawing };
    if (members !== undefined && selector.to > members - 1) {
      const bounds = members === 1 ? "has one member, 0" : `has ${members} members, 0..${members - 1}`;
      report({
        code: "beyond-group",
        message: `selects ${describeValue(text)}, but ${group} ${bounds}`,
        hint: part.from === part.to ? `the last one is ${group}/${members - 1}` : `write ${group} for all of them`,
      });
    }
    return selector;
  }

  #reportUnknownGroup({ group }: SelectionPart, kind: CastKind, report: ReportProblem): void {
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

function isOverlapping(one: GroupSelector, other: GroupSelector): boolean {
  return one.group === other.group && one.from <= other.to && other.from <= one.to;
}
