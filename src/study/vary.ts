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

/** A scenario that is played many times with other values in it. */
export interface Source {
  readonly text: string;
  readonly file: string;
  readonly readFile?: ParseOptions["readFile"];
  readonly nowMs: number;
  /** `PATH=VALUE`, applied before anything is varied. */
  readonly set: readonly string[];
  readonly seed?: number;
}

/** What is to be varied, as somebody writes it. */
export interface VaryRequest {
  /** As in `--set`; `traffic/0.rate` means `traffic.0.rate`. */
  readonly path: string;
  /** The easiest and the hardest value of interest, spelled as the value is or as a number alone. */
  readonly from?: string;
  readonly to?: string;
}

/** A value of a scenario that can be varied, found and understood. */
export interface Varied {
  readonly path: string;
  readonly quantity: Quantity;
  readonly from: number;
  readonly to?: number;
  readonly isFromGiven: boolean;
}

/**
 * Finds the value that is to be varied.
 *
 * @param base - the scenario as it stands
 * @throws LabError `bad-options` where nothing stands at the path, or nothing that can be varied
 */
export function findVaried(request: VaryRequest, source: Source, base: Scenario): Varied {
  const path = request.path.replaceAll("/", ".");
  const found = writtenValue(source.text, { path, set: source.set });
  if (found?.text === undefined) {
    const steps = path.split(".");
    const wrong = steps[found?.known.length ?? 0];
    const message =
      wrong === undefined
        ? `'${request.path}' is no single value of the scenario`
        : `the scenario has no '${wrong}' at '${request.path}'`;
    throw new LabError("bad-options", message, { hint: hintOf(wrong, found?.keys ?? []) });
  }
  const groups = [...base.cast.handsets, ...base.cast.people];
  const quantity = quantityOf(found.text, (name) => groups.find((group) => group.name === name)?.count);
  if (quantity === undefined) {
    throw new LabError("bad-options", `'${found.text}' at '${request.path}' is nothing that can be more or less`, {
      hint: "a count, a rate, a duration, a share, '10% of clinic' or 'clinic/0..19' can be varied",
    });
  }
  const from = request.from === undefined ? quantity.value : bound("--from", request.from, quantity, found.text);
  const asked = request.to === undefined ? undefined : bound("--to", request.to, quantity, found.text);
  const to = asked ?? quantity.most;
  if (from <= 0) {
    throw new LabError("bad-options", `the search begins at ${quantity.spell(from)}, from which no doubling leads up`, {
      hint: "give it a first value: --from",
    });
  }
  return { path, quantity, from, isFromGiven: request.from !== undefined, ...(to !== undefined && { to }) };
}

/** Reads the scenario with more values set. @returns the scenario, or what is wrong */
export function readWith(
  source: Source,
  more: readonly string[],
  seed: number | undefined = source.seed,
): Scenario | readonly Diagnostic[] {
  const { scenario, diagnostics } = parseScenario(source.text, {
    file: source.file,
    nowMs: source.nowMs,
    set: [...source.set, ...more],
    ...(seed !== undefined && { seed }),
    ...(source.readFile !== undefined && { readFile: source.readFile }),
  });
  return scenario ?? diagnostics.filter(({ severity }) => severity === "error");
}

/** The same where it has to be sound. @throws LabError `bad-options`, in the words of the first diagnostic */
export function mustRead(source: Source, more: readonly string[], seed?: number): Scenario {
  const read = readWith(source, more, seed);
  if (isSound(read)) return read;
  const [first] = read;
  const argument = first?.file === setFile ? [...source.set, ...more][first.line - 1] : undefined;
  const where = argument === undefined ? "" : ` (${argument})`;
  throw new LabError("bad-options", `${first?.message ?? "the scenario is not sound"}${where}`, {
    ...(first?.hint !== undefined && { hint: first.hint }),
  });
}

/** Tells a scenario from what is wrong with one. */
export function isSound(read: Scenario | readonly Diagnostic[]): read is Scenario {
  return !Array.isArray(read);
}

function bound(option: string, text: string, quantity: Quantity, like: string): number {
  const value = boundOf(text, quantity);
  if (value !== undefined) return value;
  throw new LabError("bad-options", `${option} ${text} is not of the kind of '${like}'`, {
    hint: `write it as ${quantity.spell(quantity.value)}`,
  });
}

function hintOf(wrong: string | undefined, keys: readonly string[]): string {
  if (wrong === undefined) return `name one in it: ${keys.slice(0, 8).join(", ")}`;
  return suggest(wrong, keys);
}
