import { Chalk } from "chalk";
import { countOf, escaped, plain, wrap } from "../../report/index.js";
import type { PlayedFile, ZooResult } from "./play-zoo.js";
import type { ZooFile } from "./zoo-files.js";

/** Where a text is shown. */
export interface ZooPage {
  readonly colour: boolean;
  readonly width: number;
}

/** What the user wrote, so that a command in the output can be pasted. */
export interface ZooWords {
  /** As written after `-r`; undefined: the bundled receiver. */
  readonly receiver: string | undefined;
  /** The words after `--`. */
  readonly command: readonly string[];
  /** Each scenario got a receiver that remembers nothing. */
  readonly isFresh: boolean;
}

const marks = { passed: "✔", failed: "✘", untested: "–" } as const;

/** One scenario: a line; if it failed, also what is wrong and how to see it again. Ends with a newline. */
export function renderPlayed(played: PlayedFile, page: ZooPage, words: ZooWords): string {
  const { name, verdict, title, lesson, broken, recording } = played;
  const paint = new Chalk({ level: page.colour ? 1 : 0 });
  const colour = { passed: paint.green, failed: paint.red, untested: paint.yellow }[verdict];
  const head = `${colour(`${marks[verdict]} ${name.padEnd(NAME_COLUMNS)}`)} ${verdict}`;
  if (verdict === "passed") return `${head}\n`;
  if (verdict === "untested") return `${head}\n${indented(played.why ?? "", page, "    ")}`;
  return [
    `${head}\n`,
    indented(`${title}. ${lesson}`, page, "    "),
    ...broken.map(({ text, seen }) =>
      indented(`✘ ${text}: seen ${seen === "" ? "nothing" : seen}`, page, "    ", "      "),
    ),
    ...(recording === undefined ? [] : [`    recording   ${recording}\n`]),
    `    play alone  ${playCommand(name, words)}\n`,
  ].join("");
}

/** The longest name of a scenario is shorter. */
const NAME_COLUMNS = 30;

/** The command that plays one scenario at the same receiver. */
export function playCommand(name: string, { receiver, command }: Pick<ZooWords, "receiver" | "command">): string {
  const at = receiver === undefined ? "" : ` -r ${quoted(receiver)}`;
  return `handset zoo ${name}${at}${command.length === 0 ? "" : ` -- ${command.map(quoted).join(" ")}`}`;
}

/** A word of a command line, quoted if a shell would read it otherwise. */
function quoted(word: string): string {
  return /^[\w:/.@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The sum of all scenarios. Ends with a newline. */
export function renderZooSummary(result: ZooResult, page: ZooPage, words: ZooWords): string {
  const { passed, failed, untested, left, stopped, seconds, files } = result;
  const paint = new Chalk({ level: page.colour ? 1 : 0 });
  const parts = [`${passed} passed`, `${failed} failed`, ...(untested === 0 ? [] : [`${untested} untested`])];
  const line = `${countOf(files.length, "field failure")}: ${parts.join(", ")}, in ${seconds.toFixed(1)} s`;
  const mark = failed > 0 ? "✘" : untested === files.length ? "–" : "✔";
  const lines = [
    `\n${(failed > 0 ? paint.red : untested === files.length ? paint.yellow : paint.green).bold(`${mark} ${line}`)}\n`,
  ];
  if (left > 0)
    lines.push(indented(`${countOf(left, "scenario")} not played: ${stopped ?? "interrupted"}`, page, "  "));
  const needs = new Map<string, string[]>();
  for (const { name, verdict, needs: need } of files) {
    if (verdict === "untested" && need !== undefined) needs.set(need, [...(needs.get(need) ?? []), name]);
  }
  for (const [need, names] of needs) {
    lines.push(indented(`untested: needs a receiver that ${need}: ${names.join(", ")}`, page, "  ", "    "));
  }
  if (needs.size > 0 && !words.isFresh) {
    lines.push(
      indented(
        "If this receiver has seen these scenarios before, it knows their texts, and is right not to answer them again: " +
          "restart it, or add --reset, or -- COMMAND.",
        page,
        "  ",
      ),
    );
  }
  return lines.join("");
}

/** Names, stories and sources of the scenarios. Ends with a newline. */
export function renderZooList(files: readonly ZooFile[], page: ZooPage): string {
  const paint = new Chalk({ level: page.colour ? 1 : 0 });
  const entries = files.map(({ name, title, story, field }) =>
    [
      `${paint.bold(name)}\n`,
      indented(title, page, "  "),
      ...story.map((paragraph) => indented(paragraph, page, "    ")),
      indented(`sources: ${field.sources.join(" ")}`, page, "    ", "      "),
      indented(`fails with: handset receive --bug ${field.bug}`, page, "    ", "      "),
    ].join(""),
  );
  return `${entries.join("\n")}\n${countOf(files.length, "field failure")}. handset zoo NAME -r URL plays one of them.\n`;
}

/** The result as JUnit XML: a test case for each scenario. @param startedWallMs - milliseconds since 1970 */
export function renderZooJunit(result: ZooResult, words: ZooWords, startedWallMs: number): string {
  const { failed, untested, seconds, files } = result;
  const counts = `tests="${files.length}" failures="${failed}" errors="0" skipped="${untested}" time="${seconds.toFixed(3)}"`;
  const caseOf = ({ name, verdict, title, lesson, broken, why = "", seconds: taken }: PlayedFile): string => {
    const opening = `    <testcase name="${escaped(name)}" classname="handset.zoo" time="${taken.toFixed(3)}"`;
    if (verdict === "passed") return `${opening}/>\n`;
    const texts = [
      `${title}. ${lesson}`,
      ...broken.map(({ text, seen }) => `${text}: seen ${seen}`),
      playCommand(name, words),
    ];
    const inner =
      verdict === "untested"
        ? `<skipped message="${escaped(why)}"/>`
        : `<failure message="${escaped(texts.slice(1, -1).join("; "))}" type="broken">${escaped(texts.join("\n"))}</failure>`;
    return `${opening}>\n      ${inner}\n    </testcase>\n`;
  };
  const timestamp = new Date(startedWallMs).toISOString().slice(0, 19);
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="handset zoo" ${counts}>\n` +
    `  <testsuite name="handset zoo" ${counts} timestamp="${timestamp}">\n` +
    `${files.map(caseOf).join("")}  </testsuite>\n</testsuites>\n`
  );
}

function indented(text: string, { width }: ZooPage, first: string, rest: string = first): string {
  const lines = wrap(plain(text), Math.max(40, width) - rest.length);
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}\n`).join("");
}
