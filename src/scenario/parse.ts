import type * as z from "zod";
import { eventTypes, type ServicePreset } from "../wire/index.js";
import type { HandsetGroup, PeopleGroup, TrafficSpec } from "../world/index.js";
import { CastNames, type CastKind } from "./cast-names.js";
import { type ReadFile, expandCsv } from "./sheet/csv.js";
import { EventFacts, numbersOf } from "./event-facts.js";
import { type Diagnostic, withoutMark } from "./sheet/diagnostic.js";
import { readYaml, sourceOf, type ValueTree } from "./sheet/document.js";
import { fakesIn, type WrittenFake } from "./fakes.js";
import { readStandingTroubles } from "./parts/delivery-troubles.js";
import { readCarriers } from "./parts/carriers.js";
import { readTimedCheck } from "./parts/checks.js";
import { readField } from "./parts/field.js";
import { checkDataFiles } from "./parts/data.js";
import { handsetKeys, readHandsets } from "./parts/handsets.js";
import { readMock } from "./parts/mocks.js";
import { metricField, typeNotForwarded, unknownEvent } from "./parts/metrics.js";
import { checkName, readGroupNames } from "./parts/names.js";
import { isWithheld, peopleKeys, readPeople } from "./parts/people.js";
import { checkOneKind, isOnEarth, readPlace } from "./parts/place.js";
import { checkDuplicates, mostMembers } from "./parts/phones.js";
import { readReceiver } from "./parts/receiver.js";
import { readService } from "./parts/service.js";
import { readStory } from "./parts/story.js";
import { readTraffic, type TrafficContext } from "./parts/traffic/entry.js";
import { readTrafficNames } from "./parts/traffic/names.js";
import { suggest } from "./sheet/nearest.js";
import { Problems } from "./sheet/problems.js";
import type { CallMock, MetricExpectation, Scenario, StandingTrouble, TimedCheck } from "./scenario.js";
import { applySets } from "./sheet/set.js";
import { scenarioLanguage } from "./language.js";
import { checkNewNames } from "./new-names.js";
import { DocumentReader } from "./sheet/document-reader.js";
import { partKeys, plainKeys } from "./top-level.js";
import { checkEntries, checkMembers, checkTextSize } from "./size-bounds.js";
import { readCount } from "./fields/values/number.js";
import { isList, isMap, describeValue } from "./sheet/raw-value.js";

/** How a scenario is read. */
export interface ParseOptions {
  /** For messages and for the name of a scenario that has none. */
  readonly file: string;
  /** What `starts: now` means, in milliseconds since 1970. */
  readonly nowMs: number;
  /** `PATH=VALUE`, applied in order before anything is checked. */
  readonly set?: readonly string[];
  /** Replaces the scenario's own seed. */
  readonly seed?: number;
  /** Reads a file that the scenario names, by its path from the scenario's folder; throws when it cannot. */
  readonly readFile?: ReadFile;
  /**
   * Reads a file of `data`, as `readFile`: then a file that cannot be read or is no account is a problem. These files
   * are not kept in the scenario's source. Absent: they are not checked.
   */
  readonly readData?: ReadFile;
}

/** The scenario, absent if it is not sound, and the diagnostics in the order of the file. */
export interface Parsed {
  readonly scenario?: Scenario;
  readonly diagnostics: Diagnostic[];
  /** The fakes for `checkFakes`. */
  readonly fakes: readonly WrittenFake[];
}

/**
 * Parses a scenario. Never throws: it returns problems as diagnostics, as many as it can find. A scenario with warnings
 * only is sound. `checkFakes` checks what needs faker.
 */
export function parseScenario(written: string, given: ParseOptions): Parsed {
  const text = withoutMark(written);
  const files: Record<string, string> = {};
  const options = { ...given, readFile: given.readFile && rememberFiles(files, given.readFile) };
  const problems = new Problems();
  const tree = readTree(text, options, problems);
  const read =
    tree === undefined ? undefined : readScenario(new DocumentReader(tree, problems, scenarioLanguage), text, options);
  const scenario =
    read === undefined || Object.keys(files).length === 0 ? read : { ...read, source: { ...read.source, files } };
  const diagnostics = problems.inFileOrder();
  const fakes = tree === undefined ? [] : fakesIn(tree);
  return { scenario: problems.hasErrors ? undefined : scenario, diagnostics, fakes };
}

/** Adds the text of each file that is read to `files`, so the recorded scenario can be parsed without the files. */
function rememberFiles(files: Record<string, string>, readFile: ReadFile): ReadFile {
  return (path) => (files[path] ??= readFile(path));
}

function readTree(text: string, options: ParseOptions, problems: Problems): ValueTree | undefined {
  const source = sourceOf(options.file, text);
  const written = checkTextSize(source, "YAML", problems) ? readYaml(source, problems) : undefined;
  if (written === undefined) return undefined;
  const tree = applySets(written, options.set ?? [], { problems, language: scenarioLanguage });
  checkNewNames(tree, problems);
  if (!isMap(tree.value)) {
    const span = { ...tree.location.span, end: tree.location.span.start + 1 };
    const empty = tree.value === null;
    problems.add(span, {
      code: "wrong-type",
      message: empty ? "the file is empty" : `a scenario must be a map (key: value), got ${describeValue(tree.value)}`,
      hint: "'handset new' writes one to begin with",
    });
    return undefined;
  }
  const csv = { readFile: options.readFile, language: scenarioLanguage };
  return { value: expandCsv(tree, csv, problems), location: tree.location };
}

function readScenario(reader: DocumentReader, text: string, options: ParseOptions): Scenario | undefined {
  if (!checkEntries(reader)) return undefined;
  const top = readTop(reader);
  checkDataFiles(reader, top.data, options.readData);
  const service = readService(reader, top.lookahead);
  const receiver = readReceiver(reader, options);
  const startsAtMs = top.starts === "now" ? options.nowMs : top.starts;
  const cast = readCast(reader, { lastsMs: top.lasts ?? Infinity, startsAtMs, readFile: options.readFile, service });
  const mocks = reader.items("mocks").flatMap((path): CallMock[] => toList(readMock(reader, path, top.lookahead)));
  const clock = { startsAtMs, timezone: top.timezone };
  const story = readStory(reader, { names: cast.names, clock, lastsMs: top.lasts });
  const expect = readExpectations(reader, cast);
  const checks = reader
    .items("checks")
    .flatMap((path): TimedCheck[] => toList(readTimedCheck(reader, path, { clock, lastsMs: top.lasts })));
  const writtenSteps = reader.at(["story"]);
  const field = readField(reader, {
    names: cast.names,
    lastsMs: top.lasts,
    steps: isList(writtenSteps) ? writtenSteps.length : 0,
  });
  if (service === undefined || top.lasts === undefined) return undefined;
  const { carriers, handsets, people, traffic } = cast;
  return {
    name: top.name ?? nameOfFile(options.file),
    about: top.about,
    seed: options.seed ?? top.seed,
    startsNow: top.starts === "now",
    lookaheadMs: top.lookahead,
    drainMs: top.drain,
    data: top.data,
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
    ...(mocks.length > 0 && { mocks }),
    ...(cast.troubles.length > 0 && { troubles: cast.troubles }),
    // The expectations of `field` are at the end of the scenario, so the story stays sorted.
    story: field === undefined ? story : [...story, ...field.steps],
    expect: field === undefined ? expect : [...expect, ...field.bounds],
    ...(field !== undefined && { field: field.field }),
    ...(checks.length > 0 && { checks }),
    source: { file: options.file, text, set: options.set?.length === 0 ? undefined : options.set },
  };
}

type Top = { [Key in keyof typeof plainKeys]: z.output<(typeof plainKeys)[Key]> };

/** Reads the plain top-level keys, each separately, and reports unknown keys. */
function readTop(reader: DocumentReader): Omit<Top, "lasts"> & { readonly lasts: number | undefined } {
  const valid = [...Object.keys(plainKeys), ...partKeys];
  for (const key of reader.keys([])) if (!valid.includes(key)) reader.reportUnknownKey([key], valid);
  if (reader.at(["lasts"]) === undefined) reader.reportMissing(["lasts"], "write lasts: 3h");
  const values = Object.entries(plainKeys).map(([key, schema]: [string, z.ZodType]) => {
    const value = key === "lasts" && reader.at([key]) === undefined ? undefined : reader.read(schema, [key]);
    // An invalid key gets its default while the rest is checked.
    return [key, value ?? schema.safeParse(undefined).data] as const;
  });
  return Object.fromEntries(values) as Top;
}

function readCast(
  reader: DocumentReader,
  context: Omit<TrafficContext, "names"> & { readonly service: ServicePreset | undefined },
): Pick<Scenario["cast"], "carriers" | "handsets" | "people" | "traffic"> & {
  readonly names: CastNames;
  readonly troubles: readonly StandingTrouble[];
} {
  const groups = {
    handsets: readGroupNames(reader, "handsets", handsetKeys),
    people: readGroupNames(reader, "people", peopleKeys),
  };
  const counts = (kind: CastKind): Map<string, number | undefined> =>
    new Map(groups[kind].map((name) => [name, countOf(reader, kind, name)]));
  const kinds: readonly CastKind[] = ["handsets", "people"];
  const unread = kinds.filter((kind) => groups[kind].length === 0 && isUnread(reader, kind));
  const withheld = groups.people.filter((name) => isWithheld(reader, name));
  const place = readPlace(reader, ["place"]);
  const isPlaced = (name: string): boolean =>
    reader.at(["place"]) !== undefined || isOnEarth(reader, ["handsets", name, "place"]);
  const names = new CastNames({ handsets: counts("handsets"), people: counts("people") }, new Set(unread), {
    withheld: new Set(withheld),
    unplaced: new Set(groups.handsets.filter((name) => !isPlaced(name))),
  });
  checkGroups(reader, groups);
  const carriers = readCarriers(reader);
  const handsets = groups.handsets.flatMap((name): HandsetGroup[] =>
    toList(readHandsets(reader, name, { carriers, place })),
  );
  checkOneKind(reader, groups.handsets);
  const people = groups.people.flatMap((name): PeopleGroup[] => toList(readPeople(reader, name, names)));
  checkMembers(reader, "handsets", handsets);
  checkMembers(reader, "people", people);
  checkDuplicates(reader, [
    ...handsets.map((group) => ({ ...group, path: ["handsets", group.name] })),
    ...handsets.flatMap(({ name, count, secondSim }) =>
      secondSim === undefined
        ? []
        : [
            {
              name: `the second SIM of ${name}`,
              count,
              phone: secondSim.phone,
              path: ["handsets", name, "second-sim"],
            },
          ],
    ),
    ...people.map((group) => ({ ...group, path: ["people", group.name] })),
  ]);
  const entries = reader.items("traffic").map((path) => ({
    path,
    spec: readTraffic(reader, path, { ...context, names }),
  }));
  const traffic = entries.flatMap(({ spec }): TrafficSpec[] => toList(spec));
  const written = { handsets: groups.handsets.length, people: groups.people.length };
  const numbers = unread.length > 0 ? {} : numbersOf({ handsets, people }, written);
  return {
    carriers,
    handsets,
    people,
    traffic,
    troubles: readStandingTroubles(reader, names, entries),
    names: names.with({
      traffic: readTrafficNames(reader, entries),
      carriers: carriers.map(({ name }) => name),
      events: new EventFacts({ ...numbers, service: context.service }, reader.at(["story"])),
    }),
  };
}

function toList<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** Whether a reported problem explains why no group of this kind is known. */
function isUnread(reader: DocumentReader, kind: CastKind): boolean {
  const written = reader.at([kind]);
  if (kind === "handsets" || reader.isExcused([kind])) return true; // missing handsets are an error
  return written !== undefined && written !== null && !isMap(written);
}

/** The member count of a group, even if other keys of it are invalid; undefined: the count itself is invalid. */
function countOf(reader: DocumentReader, kind: CastKind, name: string): number | undefined {
  const written = reader.at([kind, name, "count"]);
  return written === undefined ? 1 : readCount({ min: 1, max: mostMembers })(written, () => undefined);
}

function checkGroups(reader: DocumentReader, groups: Readonly<Record<CastKind, readonly string[]>>): void {
  if (groups.handsets.length === 0) {
    if (reader.at(["handsets"]) === undefined)
      reader.reportMissing(["handsets"], 'write handsets: { clinic: { phone: "+250788000001" } }');
    else if (isMap(reader.at(["handsets"])) && reader.keys(["handsets"]).length === 0)
      reader.reportProblem(["handsets"], {
        code: "missing-key",
        message: "must hold at least one group",
        on: "key",
        hint: "write name: { phone: … }",
      });
    else if (reader.at(["handsets"]) === null)
      reader.reportProblem(["handsets"], {
        code: "missing-key",
        message: "has no value",
        hint: 'write handsets: { clinic: { phone: "+250788000001" } }',
      });
  }
  const handsets = reader.at(["handsets"]);
  for (const name of groups.handsets) checkName(reader, ["handsets", name], "group of handsets");
  for (const name of groups.people) {
    checkName(reader, ["people", name], "group of people");
    if (!isMap(handsets) || !Object.hasOwn(handsets, name)) continue;
    reader.reportProblem(["people", name], {
      code: "duplicate-name",
      message: `a group of handsets is already called '${name}'`,
      whole: true,
      on: "key",
      hint: "selectors must tell the two apart: give the people another name",
    });
  }
}

function readExpectations(
  reader: DocumentReader,
  { handsets, names: { events } }: { readonly handsets: readonly HandsetGroup[]; readonly names: CastNames },
): MetricExpectation[] {
  const groups = new Set(reader.keys(["handsets"]));
  return reader.items("expect").flatMap((path) => {
    const one = reader.read(metricField, path);
    const unknown = one === undefined ? undefined : unknownEvent(one, events);
    if (unknown !== undefined) {
      reader.reportProblem(path, {
        code: "unknown-event",
        message: `counts events of a type that is not known, and no step of the story posts it: '${unknown}'`,
        hint: suggest(unknown, eventTypes),
        severity: "warning",
      });
    }
    if (one?.metric === "lost") {
      reader.reportProblem(path, {
        code: "old-name",
        message: "counts what the books do not explain, not the texts that were lost",
        hint: "write ledger.gap for that; for lost texts and calls texts.lost and calls.lost",
        severity: "warning",
      });
    }
    const unsent = one === undefined ? undefined : typeNotForwarded(one, handsets);
    if (unsent !== undefined) {
      reader.reportProblem(path, {
        code: "not-forwarded",
        message: `counts attempts to deliver ${unsent}, a type of event that is not forwarded`,
        hint: `add ${unsent} to 'events' of the handsets, or count events.${unsent}`,
        severity: "warning",
      });
    }
    const group = one?.tags?.group;
    if (group !== undefined && !groups.has(group)) {
      const message = `there is no group of handsets '${group}'`;
      reader.reportProblem(path, { code: "unknown-group", message, whole: true, hint: () => suggest(group, groups) });
    }
    return toList(one);
  });
}

/** `scenarios/first-day.yaml` is called `first-day`. */
function nameOfFile(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.ya?ml$/i, "") || "scenario";
}
