import type { Distribution } from "../sim/index.js";
import type { Scenario, StoryInput } from "./scenario.js";

/** A method of faker and the locale that it is asked for. */
export interface WantedFake {
  readonly path: string;
  readonly locale: string;
}

/** The fakes that a scenario draws, each once: to be prepared before it is played (`prepareFakes`). */
export function fakesOf(scenario: Scenario): WantedFake[] {
  const found = new Map<string, WantedFake>();
  const texts = [
    ...scenario.cast.people.flatMap((group) => [group.displayName, group.replies?.with]),
    ...scenario.cast.traffic.map((entry) => entry.body),
    ...scenario.story.map((step) => bodyOf(step.input)),
  ];
  for (const text of texts) if (text !== undefined) collect(text, found);
  return [...found.values()];
}

function bodyOf(input: StoryInput): Distribution<string> | undefined {
  if (input.to !== "world" && input.to !== "gateway") return undefined;
  return "body" in input.input ? input.input.body : undefined;
}

function collect(distribution: Distribution<string>, found: Map<string, WantedFake>): void {
  const { kind } = distribution;
  if (kind === "fake") {
    const { path, locale } = distribution;
    found.set(`${locale} ${path}`, { path, locale });
  } else if (kind === "pick") {
    for (const one of distribution.of) collect(one, found);
  } else if (kind === "weighted") {
    for (const one of distribution.of) collect(one.value, found);
  }
}
