import {
  type Diagnostic,
  formatDiagnostics,
  parseScenario,
  type ParseOptions,
  type Scenario,
} from "../../src/scenario/index.js";

/** The scenario that a text says; fails with its diagnostics when it is not sound. */
export function sound(text: string, options: Partial<ParseOptions> = {}): Scenario {
  const { scenario, diagnostics } = parseScenario(text, { file: "test.yaml", nowMs: 0, ...options });
  if (scenario === undefined) throw new Error(formatDiagnostics(diagnostics, text, options.set));
  return scenario;
}

/** The diagnostics of a text. */
export function diagnostics(text: string, options: Partial<ParseOptions> = {}): Diagnostic[] {
  return parseScenario(text, { file: "test.yaml", nowMs: 0, ...options }).diagnostics;
}

/** A small sound scenario, with more lines at its end. */
export function base(more = ""): string {
  return `name: Base
lasts: 1h
handsets:
  clinic: { count: 10, phone: "+2507880{0000}", place: { lat: -1.95, lon: 30.06 } }
people:
  farmers: { count: 20, phone: "+2507811{0000}" }
${more}`;
}

/** The only step's input of the base scenario with this story. */
export function stepOf(step: string): Scenario["story"][number]["input"] {
  const [only] = sound(base(`story:\n  - { at: 5m, ${step} }\n`)).story;
  if (only === undefined) throw new Error("no step");
  return only.input;
}
