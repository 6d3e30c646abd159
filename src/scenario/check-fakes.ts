import { findFakeFaults, type WantedFake } from "../sim/index.js";
import { type Diagnostic, mostListed } from "./sheet/diagnostic.js";
import type { WrittenFake } from "./fakes.js";
import { nearest, suggest } from "./sheet/nearest.js";
import type { Parsed } from "./parse.js";
import { inFileOrder, summaryOfUnlisted } from "./sheet/problems.js";

/**
 * Checks the fakes of a scenario with faker, which is loaded only if there are any. Adds a diagnostic for each fake
 * with an unknown locale, or with a method that is unknown, needs arguments or returns no text.
 */
export async function checkFakes({ scenario, diagnostics, fakes }: Parsed): Promise<Parsed> {
  const told = await fakeDiagnostics(fakes);
  if (told.length > 0) return { diagnostics: inFileOrder([...diagnostics, ...told]), fakes };
  return { scenario, diagnostics, fakes };
}

/** The diagnostics about fakes, one for each place. */
export async function fakeDiagnostics(fakes: readonly WrittenFake[]): Promise<Diagnostic[]> {
  const faults = new Map((await findFakeFaults(fakes)).map((fault) => [nameOf(fault), fault]));
  const told = new Map<string, Diagnostic>();
  let unlisted = 0;
  let first: Omit<Diagnostic, "message"> | undefined;
  for (const fake of fakes) {
    const fault = faults.get(nameOf(fake));
    if (fault === undefined) continue;
    const location = fake.places[fault.on];
    // An alias has the position of its anchor.
    const key = `${location.file} ${location.line} ${location.column}`;
    if (told.has(key)) continue;
    if (told.size >= mostListed) {
      unlisted++;
      first ??= { ...location, severity: "error", code: "too-many" };
      continue;
    }
    told.set(key, {
      severity: "error",
      code: "unknown-fake",
      ...location,
      message: fault.known === undefined ? `'${fake.path}' ${fault.why}` : fault.why,
      hint: hintFor(fake[fault.on], fault.known),
    });
  }
  return [...told.values(), ...(first === undefined ? [] : [summaryOfUnlisted(first, unlisted, 0)])];
}

function nameOf({ path, locale }: WantedFake): string {
  return `${locale} ${path}`;
}

function hintFor(word: string, known: readonly string[] | undefined): string {
  if (known === undefined) return "name a method that gives a text by itself, such as lorem.sentence";
  const [module = "", method = ""] = word.split(".");
  const siblings = known.filter((one) => one.startsWith(`${module}.`)).map((one) => one.slice(module.length + 1));
  if (siblings.length === 0) return suggest(word, known);
  const close = nearest(method, siblings);
  return close === undefined ? `${module} has: ${siblings.join(", ")}` : `did you mean '${module}.${close}'?`;
}
