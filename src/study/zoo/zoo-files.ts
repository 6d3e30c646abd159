import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LabError, packageFile } from "../../base/index.js";
import { filesBeside } from "../../lab/index.js";
import { type FieldFailure, nearest, parseScenario, type Scenario } from "../../scenario/index.js";

/** A scenario of `scenarios/field/`. */
export interface ZooFile {
  /** The file's name without its ending, such as `one-text-two-webhooks`. */
  readonly name: string;
  /** The first line of its comment. */
  readonly title: string;
  /** The rest of the comment: paragraphs, each on one line. */
  readonly story: readonly string[];
  /** The last sentences of the story, which say what a receiver must do. */
  readonly lesson: string;
  readonly path: string;
  readonly scenario: Scenario;
  readonly field: FieldFailure;
}

/** The folder of the scenarios, and the path under which messages name it. */
const FOLDER = "scenarios/field";

/** How the files are read. */
export interface ZooFileOptions {
  /** Default: all. */
  readonly names?: readonly string[] | undefined;
  /** Names of the fields in the bodies; default `both`, which every receiver of the documentation can read. */
  readonly spelling?: string | undefined;
}

/**
 * The scenarios of `scenarios/field/` by which a receiver can be judged, in the order of the alphabet or of `names`.
 *
 * @throws LabError `bad-options` for a name that does not exist
 */
export function readZoo({ names = [], spelling = "both" }: ZooFileOptions = {}): ZooFile[] {
  const folder = packageFile(FOLDER);
  const all = readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.slice(0, -".yaml".length))
    .toSorted();
  const chosen = names.map((name) => nameOf(name, all));
  return (chosen.length > 0 ? [...new Set(chosen)] : all).flatMap((name) => {
    const file = readFileOf(name, { folder, spelling });
    if (file === undefined && chosen.length > 0) {
      throw new LabError("bad-options", `${name} is a story of phone and service in which no receiver can go wrong`, {
        hint: `handset run ${FOLDER}/${name}.yaml plays it`,
      });
    }
    return file === undefined ? [] : [file];
  });
}

/** The name in the list; a path to the file will do, too. */
function nameOf(given: string, all: readonly string[]): string {
  const name = given.replace(/^.*[/\\]/, "").replace(/\.ya?ml$/i, "");
  if (all.includes(name)) return name;
  const close = nearest(name, all) ?? all.find((one) => one.includes(name));
  throw new LabError("bad-options", `no scenario of the zoo is called '${given}'`, {
    hint:
      close === undefined ? "handset zoo --list lists them" : `did you mean '${close}'? handset zoo --list lists them`,
  });
}

function readFileOf(
  name: string,
  { folder, spelling }: { readonly folder: string; readonly spelling: string },
): ZooFile | undefined {
  const path = join(folder, `${name}.yaml`);
  const text = readFileSync(path, "utf8");
  const { scenario, diagnostics } = parseScenario(text, {
    file: path,
    nowMs: 0,
    readFile: filesBeside(path),
    set: [`service.spelling=${spelling}`],
  });
  const [problem] = diagnostics.filter(({ severity }) => severity === "error");
  if (scenario === undefined) {
    throw new LabError("bad-options", `${FOLDER}/${name}.yaml: ${problem?.message ?? "the scenario is not sound"}`, {
      hint: `handset check ${FOLDER}/${name}.yaml`,
    });
  }
  const { field } = scenario;
  if (field === undefined) return undefined;
  const [title = name, ...story] = commentOf(text);
  return { name, title, story, lesson: lessonOf(story), path: `${FOLDER}/${name}.yaml`, scenario, field };
}

function lessonOf(story: readonly string[]): string {
  const last = story.at(-1) ?? "";
  return /[^.]*\bA receiver (?:that quotes )?(?:must|can|should|may|cannot)\b.*$/s.exec(last)?.[0].trim() ?? last;
}

/** The paragraphs of the comment at the head of a file, without the line for editors. */
function commentOf(text: string): string[] {
  const lines = text.split("\n").filter((line) => !line.startsWith("# yaml-language-server"));
  const end = lines.findIndex((line) => !line.startsWith("#"));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^# ?/, ""))
    .join("\n")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim().replaceAll("\n", " "))
    .filter((paragraph) => paragraph !== "");
}
