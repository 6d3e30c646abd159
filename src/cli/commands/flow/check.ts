import { Command, InvalidArgumentError, Option } from "commander";
import {
  exportsHave,
  type Finding,
  inspectDefinition,
  isOfAccount,
  jsonPositions,
  type LintedExport,
  lintExports,
  type LintLevel,
  lintLevels,
  lintRules,
  type MissingReference,
  missingReferences,
  outsideReferences,
  placeInFile,
  readExportFlows,
  type ReferencePlace,
  type Unsupported,
} from "../../../flow/index.js";
import { nearest } from "../../../scenario/index.js";
import { findingsText, infoText, levelCounts, type PlacedFinding } from "../../printing/lint-text.js";
import { missingText } from "../../printing/missing-text.js";
import { UsageError } from "../../failures.js";
import type { ExitCode, Io } from "../../terminal/io.js";
import { forEachJsonFile } from "./json-file.js";

/** What is said about one file. */
interface CheckedFile {
  readonly file: string;
  /** Number of flows that can be loaded. */
  readonly flows: number;
  readonly faults: readonly { readonly flow: string; readonly text: string }[];
  readonly unsupported: readonly Unsupported[];
  readonly missing: readonly MissingReference[];
  /** What no export can have. */
  readonly needs: readonly MissingReference[];
  /** Of the level that is listed, and above. */
  readonly findings: readonly PlacedFinding[];
}

/** A file that was read. */
interface ReadFile {
  readonly file: string;
  readonly text: string;
  /** The text as JSON. */
  readonly whole: unknown;
}

interface Flags {
  readonly rule: ReadonlyMap<string, LintLevel | "off">;
  readonly level: LintLevel;
  readonly failOn: LintLevel | "never";
  readonly rules?: true;
  readonly json?: true;
}

/** `handset flow check`: a linter of flows, which also lists the parts that do not run here. */
export function checkFlowsCommand(io: Io, end: (code: ExitCode) => void): Command {
  return new Command("check")
    .summary("find mistakes in the flows of a file, and what does not run")
    .description(
      "Loads exports and definitions of any version. Finds mistakes of their authors, by rules that can be switched; " +
        "lists which parts a run here would skip or fail at, and which names none of the files defines. " +
        "Exit codes: 0 nothing as serious as --fail-on, 1 such a finding, 2 a file or one of its flows cannot be loaded.",
    )
    .argument("[file...]", "exports or definitions (JSON)")
    .option("--rule <name=level>", "level of a rule: error, warning, info or off; repeatable", ruleLevel, new Map())
    .addOption(levelOption("--level <level>", "list findings of this level and more serious ones", "warning"))
    .addOption(
      levelOption("--fail-on <level>", "exit 1 for a finding of this level or a more serious one", "error", ["never"]),
    )
    .option("--rules", "list the rules")
    .option("--json", "a JSON line for each file")
    .addHelpText(
      "after",
      "\nExamples:\n  handset flow check my-export.json --rule long-text=off\n  handset flow check my-export.json --fail-on warning",
    )
    .action((files: string[], flags: Flags) => {
      if (flags.rules === true) {
        io.stdout.write(rulesText(flags.rule));
        return;
      }
      if (files.length === 0) throw new UsageError("name a file to check, such as my-export.json");
      checkFiles(files, flags, { io, end });
    });
}

function levelOption(flags: string, text: string, level: LintLevel, more: readonly string[] = []): Option {
  return new Option(flags, text).choices([...lintLevels, ...more]).default(level);
}

/** Reads `NAME=LEVEL`. */
function ruleLevel(
  text: string,
  before: ReadonlyMap<string, LintLevel | "off">,
): ReadonlyMap<string, LintLevel | "off"> {
  const [name = "", level = "", ...more] = text.split("=");
  const names = lintRules.map((rule) => rule.name);
  if (!names.includes(name)) {
    const close = nearest(name, names);
    throw new InvalidArgumentError(
      `there is no rule '${name}'; ${close === undefined ? "--rules lists them" : `did you mean '${close}'?`}`,
    );
  }
  const known = [...lintLevels, "off" as const].find((one) => one === level);
  if (known === undefined || more.length > 0) {
    throw new InvalidArgumentError(`write ${name}=error, =warning, =info or =off, got '${text}'.`);
  }
  return new Map([...before, [name, known]]);
}

function rulesText(levels: Flags["rule"]): string {
  const width = Math.max(...lintRules.map(({ name }) => name.length));
  return lintRules
    .map(({ name, level, summary }) => {
      const shown = levels.get(name) ?? level;
      return `${name.padEnd(width)}  ${shown.padEnd(7)}  ${summary}\n`;
    })
    .join("");
}

function checkFiles(
  files: readonly string[],
  { rule, level, failOn, json }: Flags,
  { io, end }: { readonly io: Io; readonly end: (code: ExitCode) => void },
): void {
  const read: (ReadFile & ReturnType<typeof readExportFlows>)[] = [];
  forEachJsonFile(files, { io, end }, (file, whole, text) =>
    read.push({ file, whole, text, ...readExportFlows(whole) }),
  );
  const has = exportsHave(read);
  const lacks = read.map(({ flows, json: native }) => missingReferences(flows, has, outsideReferences(native)));
  const found = lintExports(read, { missing: lacks, levels: rule, nearest });
  for (const [index, one] of read.entries()) {
    const { file, flows, faults, json: native } = one;
    const listsFields = Array.isArray(native["fields"]) && native["fields"].length > 0;
    const lacked = lacks[index] ?? [];
    const { findings: all, flows: linted } = found[index] ?? { findings: [], flows: new Map() };
    const shown = positioned(
      all.filter((one) => isAtLeast(one.level, level)),
      one,
    );
    const checked: CheckedFile = {
      file,
      flows: flows.length,
      faults,
      unsupported: flows.flatMap(inspectDefinition),
      missing: lacked.filter((one) => !isOfAccount(one)),
      needs: lacked.filter(isOfAccount),
      findings: shown,
    };
    io.stdout.write(
      json === true
        ? `${JSON.stringify(checked)}\n`
        : outline(checked, { level, columns: io.stdout.columns, listsFields, linted, all }),
    );
    if (faults.length > 0) end(2);
    else if (failOn !== "never" && all.some((one) => isAtLeast(one.level, failOn))) end(1);
  }
}

/** Findings with their places in the text of the file. */
function positioned(
  findings: readonly Finding[],
  file: ReadFile & Pick<ReturnType<typeof readExportFlows>, "places" | "migrated">,
): readonly PlacedFinding[] {
  if (findings.length === 0) return [];
  const positions = jsonPositions(
    file.text,
    findings.map((one) => placeInFile(one, file, file.whole)),
  );
  return findings.map((one, index) => ({
    ...one,
    line: positions[index]?.line ?? null,
    column: positions[index]?.column ?? null,
  }));
}

function isAtLeast(level: LintLevel, least: LintLevel): boolean {
  return lintLevels.indexOf(level) <= lintLevels.indexOf(least);
}

/** Rules whose findings the lists of missing and unsupported parts have already. */
const listedOtherwise: ReadonlySet<string> = new Set([
  "missing-flow",
  "missing-group",
  "unknown-field",
  "unknown-part",
]);

function outline(
  { file, flows, faults, unsupported, missing, needs, findings }: CheckedFile,
  {
    level,
    columns,
    listsFields,
    linted,
    all,
  }: {
    readonly level: LintLevel;
    readonly columns: number;
    readonly listsFields: boolean;
    readonly linted: LintedExport["flows"];
    readonly all: readonly Finding[];
  },
): string {
  const titleOf = (flow: string, node: string): string => {
    const found = linted.get(flow);
    const one = found?.node(node);
    return one === undefined ? node : (found?.titleOf(one) ?? node);
  };
  const place = ({ flow, node, by, otherwise }: ReferencePlace): string => {
    if (flow === null || node === null) return by;
    const title = titleOf(flow.uuid, node);
    const written = linted.get(flow.uuid)?.asWritten(node, by) ?? by;
    const effect = otherwise === undefined ? "" : `, so answers take '${otherwise}'`;
    return `flow '${flow.name}', at ${title}${title.includes(written) ? "" : ` (${written})`}${effect}`;
  };
  // Where no file lists fields, only the account can tell which there are.
  const isNeed = ({ kind }: MissingReference): boolean => kind === "field" && !listsFields;
  const lacked = missing.filter((one) => !isNeed(one));
  const lacks = lacked.length === 0 ? "" : `, ${lacked.length} missing`;
  const isOwn = ({ rule }: Finding): boolean => !listedOtherwise.has(rule);
  const own = all.filter(isOwn);
  const lines = [
    `${file}: ${flows} ${flows === 1 ? "flow" : "flows"}, ${unsupported.length} unsupported${lacks}${levelCounts(own)}`,
    ...faults.map(({ flow, text }) => `  ${flow}: cannot be loaded: ${text}`),
    ...unsupportedLines(unsupported, titleOf),
  ];
  return (
    `${lines.join("\n")}\n${missingText([...lacked, ...needs], { place })}${missingText(missing.filter(isNeed), { isNeed: true, place })}` +
    findingsText(findings.filter(isOwn), { file, width: Math.max(40, Math.min(columns, 100)) }) +
    infoText(own.filter((one) => !isAtLeast(one.level, level)))
  );
}

/** A line for each part that a flow has, with the first of its nodes. */
function unsupportedLines(
  unsupported: readonly Unsupported[],
  titleOf: (flow: string, node: string) => string,
): readonly string[] {
  const same = new Map<string, Unsupported[]>();
  for (const one of unsupported) {
    const mark = JSON.stringify([one.flow.uuid, one.kind, one.name]);
    same.set(mark, [...(same.get(mark) ?? []), one]);
  }
  return [...same.values()].map(([first, ...others]) => {
    if (first === undefined) return "";
    const { flow, node, kind, name, effect } = first;
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    return `  ${flow.name}, at ${titleOf(flow.uuid, node)}${more}: ${kind} ${name} ${effect}`;
  });
}
