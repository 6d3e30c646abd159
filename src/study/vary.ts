import { LabError } from "../base/index.js";
import {
  type Diagnostic,
  type ParseOptions,
  parseScenario,
  type Scenario,
  setFile,
  suggest,
  writtenValue,
} from "../scenario/index.js";
import { boundOf, type Quantity, quantityOf } from "./quantity.js";

/** The scenario text that a study plays with different values. */
export interface StudySource {
  readonly text: string;
  readonly file: string;
  readonly readFile?: ParseOptions["readFile"];
  readonly nowMs: number;
  /** `PATH=VALUE`, applied before the varied value. */
  readonly set: readonly string[];
  readonly seed?: number;
}

/** A value to vary, as the user writes it. */
export interface VaryRequest {
  /** As in `--set`; `traffic/0.rate` means `traffic.0.rate`. */
  readonly path: string;
  /** The easiest and the hardest value of interest, in the value's spelling or as a number alone. */
  readonly from?: string;
  readonly to?: string;
}

/** A value to vary, resolved in the scenario. */
export interface Varied {
  readonly path: string;
  readonly quantity: Quantity;
  readonly from: number;
  readonly to?: number;
  readonly isFromGiven: boolean;
}

/**
 * Resolves the value to vary.
 *
 * @param base - the scenario without a varied value
 * @throws LabError `bad-options`: the path has no value, or one that cannot be varied
 */
export function findVaried(request: VaryRequest, source: StudySource, base: Scenario): Varied {
  const path = request.path.replaceAll("/", ".");
  const found = writtenValue(source.text, { path, set: source.set });
  if (found?.text === undefined) {
    const steps = path.split(".");
    const wrong = steps[found?.known.length ?? 0];
    const message =
      wrong === undefined
        ? `'${request.path}' is not a single value of the scenario`
        : `the scenario has no '${wrong}' at '${request.path}'`;
    throw new LabError("bad-options", message, { hint: hintOf(wrong, found?.keys ?? []) });
  }
  const groups = [...base.cast.handsets, ...base.cast.people];
  const quantity = quantityOf(found.text, (name) => groups.find((group) => group.name === name)?.count);
  if (quantity === undefined) {
    throw new LabError("bad-options", `'${found.text}' at '${request.path}' cannot be varied`, {
      hint: "name a count, a rate, a duration, a share, '10% of clinic' or 'clinic/0..19'",
    });
  }
  const from = request.from === undefined ? quantity.value : parseBound("--from", request.from, quantity, found.text);
  const asked = request.to === undefined ? undefined : parseBound("--to", request.to, quantity, found.text);
  const to = asked ?? quantity.most;
  if (from <= 0) {
    throw new LabError(
      "bad-options",
      `the search cannot begin at ${quantity.spell(from)}: doubling does not increase it`,
      {
        hint: "set a first value > 0: --from",
      },
    );
  }
  return { path, quantity, from, isFromGiven: request.from !== undefined, to };
}

/** Parses the scenario with further values set. @returns the scenario, or its errors */
export function readWith(
  source: StudySource,
  more: readonly string[],
  seed: number | undefined = source.seed,
): Scenario | readonly Diagnostic[] {
  const { scenario, diagnostics } = parseScenario(source.text, {
    file: source.file,
    nowMs: source.nowMs,
    set: [...source.set, ...more],
    seed,
    readFile: source.readFile,
  });
  return scenario ?? diagnostics.filter(({ severity }) => severity === "error");
}

/** Parses the scenario with further values set. @throws LabError `bad-options` with the message of the first error */
export function readOrThrow(source: StudySource, more: readonly string[], seed?: number): Scenario {
  const read = readWith(source, more, seed);
  if (isSound(read)) return read;
  const [first] = read;
  const argument = first?.file === setFile ? [...source.set, ...more][first.line - 1] : undefined;
  const where = argument === undefined ? "" : ` (${argument})`;
  throw new LabError("bad-options", `${first?.message ?? "the scenario is not sound"}${where}`, {
    hint: first?.hint,
  });
}

/** Tells a scenario from a list of errors. */
export function isSound(read: Scenario | readonly Diagnostic[]): read is Scenario {
  return !Array.isArray(read);
}

function parseBound(option: string, text: string, quantity: Quantity, like: string): number {
  const value = boundOf(text, quantity);
  if (value !== undefined) return value;
  throw new LabError("bad-options", `${option} ${text} is not a value like '${like}'`, {
    hint: `write it as ${quantity.spell(quantity.value)}`,
  });
}

function hintOf(wrong: string | undefined, keys: readonly string[]): string {
  if (wrong === undefined) return `name one in it: ${keys.slice(0, 8).join(", ")}`;
  return suggest(wrong, keys);
}
