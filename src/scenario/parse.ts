import type * as z from "zod";
import type { HandsetGroup, PeopleGroup, TrafficSpec } from "../world/index.js";
import { CastNames, type Kind } from "./cast-names.js";
import { type ReadFile, unfoldCsv } from "./sheet/csv.js";
import { type Diagnostic, withoutMark } from "./sheet/diagnostic.js";
import { readYaml, sourceOf, type Tree } from "./sheet/document.js";
import { fakesIn, type WrittenFake } from "./fakes.js";
import { readCarriers } from "./parts/carriers.js";
import { handsetKeys, readHandsets } from "./parts/handsets.js";
import { metricField, misspelledEvent, typeNotForwarded } from "./parts/metrics.js";
import { checkName, groupMap } from "./parts/names.js";
import { peopleKeys, readPeople } from "./parts/people.js";
import { checkDuplicates, mostMembers } from "./parts/phones.js";
import { readReceiver } from "./parts/receiver.js";
import { readService } from "./parts/service.js";
import { readStory } from "./parts/story.js";
import { readTraffic, type TrafficContext } from "./parts/traffic/entry.js";
import { nameTraffic } from "./parts/traffic/names.js";
import { suggest } from "./sheet/nearest.js";
import { Problems } from "./sheet/problems.js";
import type { MetricExpectation, Scenario } from "./scenario.js";
import { applySets } from "./sheet/set.js";
import { scenarioLanguage } from "./language.js";
import { checkNewNames } from "./new-names.js";
import { Sheet } from "./sheet/sheet.js";
import { partKeys, plainKeys } from "./top-level.js";
import { checkEntries, checkMembers, checkTextSize } from "./size-bounds.js";
import { readCount } from "./fields/values/number.js";
import { isList, isMap, shown } from "./sheet/written.js";

/** How a scenario is read. */
export interface ParseOptions {
  /** For messages and for the name of a scenario that has none. */
  readonly file: string;
  /** What `starts: now` means, in milliseconds since 1970. */
  readonly nowMs: number;
  /** `PATH=VALUE`, applied in order before anything is checked. */
  readonly set?: readonly string[];
  /** Instead of the scenario's own. */
  readonly seed?: number;
  /** Reads a file that the scenario names, by its path from the scenario's folder; throws when it cannot. */
  readonly readFile?: ReadFile;
}

/** A scenario if it is sound, and what there is to say about it, in the order of the file. */
export interface Parsed {
  readonly scenario?: Scenario;
  readonly diagnostics: Diagnostic[];
  /** What `checkFakes` has to look at. */
  readonly fakes: readonly WrittenFake[];
}

/**
 * Reads a scenario. Never throws: whatever is wrong with the text comes back as diagnostics, as many as can be found
 * at once. Warnings alone do not keep a scenario from being sound. What needs faker is left to `checkFakes`.
 */
export function parseScenario(written: string, given: ParseOptions): Parsed {
  const text = withoutMark(written);
  const files: Record<string, string> = {};
  const options = { ...given, readFile: given.readFile && keeping(files, given.readFile) };
  const problems = new Problems();
  const tree = readTree(text, options, problems);
  const read =
    tree === undefined ? undefined : readScenario(new Sheet(tree, problems, scenarioLanguage), text, options);
  const scenario =
    read === undefined || Object.keys(files).length === 0 ? read : { ...read, source: { ...read.source, files } };
  const diagnostics = problems.inOrder();
  const fakes = tree === undefined ? [] : fakesIn(tree);
  return { scenario: problems.hasErrors ? undefined : scenario, diagnostics, fakes };
}

/** Keeps what was read, so that the scenario can be read again where the files are not. */
function keeping(files: Record<string, string>, readFile: ReadFile): ReadFile {
  return (path) => (files[path] ??= readFile(path));
}

function readTree(text: string, options: ParseOptions, problems: Problems): Tree | undefined {
  const source = sourceOf(options.file, text);
  const written = checkTextSize(source, "YAML", problems) ? readYaml(source, problems) : undefined;
  if (written === undefined) return undefined;
  const tree = applySets(written, options.set ?? [], { problems, language: scenarioLanguage });
  checkNewNames(tree, problems);
  if (!isMap(tree.value)) {
    const spot = { ...tree.place.spot, end: tree.place.spot.start + 1 };
    const empty = tree.value === null;
    problems.add(spot, {
      code: "wrong-type",
      message: empty ? "the file is empty" : `a scenario must be a map (key: value), got ${shown(tree.value)}`,
      hint: "'handset new' writes one to begin with",
    });
    return undefined;
  }
  const csv = { readFile: options.readFile, language: scenarioLanguage };
  return { value: unfoldCsv(tree, csv, problems), place: tree.place };
}

function readScenario(sheet: Sheet, text: string, options: ParseOptions): Scenario | undefined {
  if (!checkEntries(sheet)) return undefined;
  const top = readTop(sheet);
  const service = readService(sheet, top.lookahead);
  const receiver = readReceiver(sheet, options.readFile);
  const startsAtMs = top.starts === "now" ? options.nowMs : top.starts;
  const cast = readCast(sheet, { lastsMs: top.lasts ?? Infinity, startsAtMs, readFile: options.readFile });
  const story = readStory(sheet, cast.names, top.lasts);
  const expect = readExpectations(sheet, cast.handsets);
  if (service === undefined || top.lasts === undefined) return undefined;
  const { carriers, handsets, people, traffic } = cast;
  return {
    name: top.name ?? nameOfFile(options.file),
    about: top.about,
    seed: options.seed ?? top.seed,
    startsNow: top.starts === "now",
    lookaheadMs: top.lookahead,
    drainMs: top.drain,
    receiver,
    service,
    cast: {
      startsAtMs,
      lastsMs: top.lasts,
      timezone: top.timezone,
      carriers,
      handsets,
      people,
      traffic,
    },
    story,
    expect,
    source: { file: options.file, text, set: options.set?.length === 0 ? undefined : options.set },
  };
}

type Top = { [Key in keyof typeof plainKeys]: z.output<(typeof plainKeys)[Key]> };

/** The plain keys at the top, each by itself, and a word about keys that do not exist. */
function readTop(sheet: Sheet): Omit<Top, "lasts"> & { readonly lasts: number | undefined } {
  const valid = [...Object.keys(plainKeys), ...partKeys];
  for (const key of sheet.keys([])) if (!valid.includes(key)) sheet.unknownKey([key], valid);
  if (sheet.at(["lasts"]) === undefined) sheet.missing(["lasts"], "write lasts: 3h");
  const values = Object.entries(plainKeys).map(([key, schema]: [string, z.ZodType]) => {
    const value = key === "lasts" && sheet.at([key]) === undefined ? undefined : sheet.read(schema, [key]);
    // A key that does not fit counts as left out while the rest is checked.
    return [key, value ?? schema.safeParse(undefined).data] as const;
  });
  return Object.fromEntries(values) as Top;
}

function readCast(
  sheet: Sheet,
  context: Omit<TrafficContext, "names">,
): Pick<Scenario["cast"], "carriers" | "handsets" | "people" | "traffic"> & { names: CastNames } {
  const groups = {
    handsets: groupMap(sheet, "handsets", handsetKeys),
    people: groupMap(sheet, "people", peopleKeys),
  };
  const counts = (kind: Kind): Map<string, number | undefined> =>
    new Map(groups[kind].map((name) => [name, countOf(sheet, kind, name)]));
  const kinds: readonly Kind[] = ["handsets", "people"];
  const unread = kinds.filter((kind) => groups[kind].length === 0 && isUnread(sheet, kind));
  const names = new CastNames({ handsets: counts("handsets"), people: counts("people") }, new Set(unread));
  checkGroups(sheet, groups);
  const carriers = readCarriers(sheet);
  const handsets = groups.handsets.flatMap((name): HandsetGroup[] => list(readHandsets(sheet, name, carriers)));
  const people = groups.people.flatMap((name): PeopleGroup[] => list(readPeople(sheet, name, names)));
  checkMembers(sheet, "handsets", handsets);
  checkMembers(sheet, "people", people);
  checkDuplicates(sheet, [
    ...handsets.map((group) => ({ ...group, path: ["handsets", group.name] })),
    ...people.map((group) => ({ ...group, path: ["people", group.name] })),
  ]);
  const entries = listAt(sheet, "traffic").map((path) => ({
    path,
    spec: readTraffic(sheet, path, { ...context, names }),
  }));
  const traffic = entries.flatMap(({ spec }): TrafficSpec[] => list(spec));
  return { carriers, handsets, people, traffic, names: names.withTraffic(nameTraffic(sheet, entries)) };
}

function list<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** The paths of a list's items at the top of a scenario; none where it is left out or is no list. */
function listAt(sheet: Sheet, key: string): [string, number][] {
  const written = sheet.at([key]);
  if (written === undefined || written === null) return [];
  if (isList(written)) return written.map((_, place) => [key, place]);
  sheet.tell([key], {
    code: "wrong-type",
    message: `must be a list, got ${shown(written)}`,
    hint: "begin each entry with '- '",
  });
  return [];
}

/** Whether something was told of a map of groups that explains why the groups are not known. */
function isUnread(sheet: Sheet, kind: Kind): boolean {
  const written = sheet.at([kind]);
  if (kind === "handsets" || sheet.isMeant([kind])) return true; // handsets are needed
  return written !== undefined && written !== null && !isMap(written);
}

/** A group's members as far as they are written rightly, so that one fault in it does not hide faults of others. */
function countOf(sheet: Sheet, kind: Kind, name: string): number | undefined {
  const written = sheet.at([kind, name, "count"]);
  return written === undefined ? 1 : readCount({ min: 1, max: mostMembers })(written, () => undefined);
}

function checkGroups(sheet: Sheet, groups: Readonly<Record<Kind, readonly string[]>>): void {
  if (groups.handsets.length === 0) {
    if (sheet.at(["handsets"]) === undefined)
      sheet.missing(["handsets"], 'write handsets: { clinic: { phone: "+250788000001" } }');
    else if (isMap(sheet.at(["handsets"])) && sheet.keys(["handsets"]).length === 0)
      sheet.tell(["handsets"], {
        code: "missing-key",
        message: "must hold at least one group",
        on: "key",
        hint: "write name: { phone: … }",
      });
    else if (sheet.at(["handsets"]) === null)
      sheet.tell(["handsets"], {
        code: "missing-key",
        message: "has no value",
        hint: 'write handsets: { clinic: { phone: "+250788000001" } }',
      });
  }
  const handsets = sheet.at(["handsets"]);
  for (const name of groups.handsets) checkName(sheet, ["handsets", name], "group of handsets");
  for (const name of groups.people) {
    checkName(sheet, ["people", name], "group of people");
    if (!isMap(handsets) || !Object.hasOwn(handsets, name)) continue;
    sheet.tell(["people", name], {
      code: "duplicate-name",
      message: `a group of handsets is already called '${name}'`,
      whole: true,
      on: "key",
      hint: "selectors must tell the two apart: give the people another name",
    });
  }
}

function readExpectations(sheet: Sheet, handsets: readonly HandsetGroup[]): MetricExpectation[] {
  const groups = new Set(sheet.keys(["handsets"]));
  return listAt(sheet, "expect").flatMap((path) => {
    const one = sheet.read(metricField, path);
    const close = one === undefined ? undefined : misspelledEvent(one);
    if (close !== undefined) {
      sheet.tell(path, {
        code: "unknown-event",
        message: `counts events of a type that is not known: '${close.written}'`,
        hint: `did you mean '${close.meant}'?`,
        severity: "warning",
      });
    }
    const unsent = one === undefined ? undefined : typeNotForwarded(one, handsets);
    if (unsent !== undefined) {
      sheet.tell(path, {
        code: "not-forwarded",
        message: `counts attempts to deliver ${unsent}, a type of event that is not forwarded`,
        hint: `add ${unsent} to 'events' of the handsets, or count events.${unsent}`,
        severity: "warning",
      });
    }
    const group = one?.tags?.group;
    if (group !== undefined && !groups.has(group)) {
      const message = `there is no group of handsets '${group}'`;
      sheet.tell(path, { code: "unknown-group", message, whole: true, hint: () => suggest(group, groups) });
    }
    return list(one);
  });
}

/** `scenarios/first-day.yaml` is called `first-day`. */
function nameOfFile(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.ya?ml$/i, "") || "scenario";
}
