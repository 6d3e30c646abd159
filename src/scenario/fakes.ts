import type { Distribution, WantedFake } from "../sim/index.js";
import { scenarioLanguage } from "./language.js";
import type { Diagnostic } from "./sheet/diagnostic.js";
import type { ValueTree } from "./sheet/document.js";
import { positionOf } from "./sheet/problems.js";
import type { Scenario, StoryInput } from "./scenario.js";
import { fakeLocale, fakePath } from "./fields/values/distribution.js";
import { isList, isMap } from "./sheet/raw-value.js";

export type { WantedFake } from "../sim/index.js";

/** A fake and the positions of its path and locale. */
export interface WrittenFake extends WantedFake {
  readonly places: Readonly<Record<"path" | "locale", Pick<Diagnostic, "file" | "line" | "column" | "length">>>;
}

/** The well-formed fakes of a scenario, which need not be sound. */
export function fakesIn({ value, location }: ValueTree): WrittenFake[] {
  if (isList(value)) {
    return value.flatMap((item, index) =>
      fakesIn({ value: item, location: location.inner.get(String(index)) ?? location }),
    );
  }
  if (!isMap(value)) return [];
  const path = value["fake"];
  const locale = value["locale"] ?? "en";
  if (typeof path === "string" && typeof locale === "string") {
    if (!fakePath.test(path) || !fakeLocale.test(locale)) return []; // its reader reports it
    const at = (key: string): WrittenFake["places"]["path"] => positionOf((location.inner.get(key) ?? location).span);
    return [{ path, locale, places: { path: at("fake"), locale: at("locale") } }];
  }
  return Object.entries(value).flatMap(([key, item]) =>
    scenarioLanguage.dataMaps.has(key) ? [] : fakesIn({ value: item, location: location.inner.get(key) ?? location }),
  );
}

/** The fakes that a scenario draws, each once. Prepare them before the scenario is played (`prepareFakes`). */
export function fakesOf(scenario: Scenario): WantedFake[] {
  const found = new Map<string, WantedFake>();
  const texts = [
    ...scenario.cast.people.flatMap((group) => [
      group.displayName,
      ...[group.replies ?? []].flat().map((habit) => habit.with),
    ]),
    ...scenario.cast.traffic.map((entry) => entry.body),
    ...scenario.story.map((step) => bodyOf(step.input)),
  ];
  for (const text of texts) if (text !== undefined) collectFakes(text, found);
  return [...found.values()];
}

function bodyOf(input: StoryInput): Distribution<string> | undefined {
  if (input.to !== "world" && input.to !== "gateway") return undefined;
  return "body" in input.input ? input.input.body : undefined;
}

/** Adds the fakes of a distribution to `found`, each once. */
export function collectFakes(distribution: Distribution<string>, found: Map<string, WantedFake>): void {
  const { kind } = distribution;
  if (kind === "fake") {
    const { path, locale } = distribution;
    found.set(`${locale} ${path}`, { path, locale });
  } else if (kind === "pick") {
    for (const one of distribution.of) collectFakes(one, found);
  } else if (kind === "weighted") {
    for (const one of distribution.of) collectFakes(one.value, found);
  }
}
