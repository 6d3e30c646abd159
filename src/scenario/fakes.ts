import type { Distribution, WantedFake } from "../sim/index.js";
import { scenarioLanguage } from "./language.js";
import type { Diagnostic } from "./sheet/diagnostic.js";
import type { Tree } from "./sheet/document.js";
import { placeOf } from "./sheet/problems.js";
import type { Scenario, StoryInput } from "./scenario.js";
import { fakeLocale, fakePath } from "./fields/values/distribution.js";
import { isList, isMap } from "./sheet/written.js";

export type { WantedFake } from "../sim/index.js";

/** A fake and where its halves stand. */
export interface WrittenFake extends WantedFake {
  readonly places: Readonly<Record<"path" | "locale", Pick<Diagnostic, "file" | "line" | "column" | "length">>>;
}

/** The fakes that stand in a scenario, sound or not, as far as they are spelled as fakes. */
export function fakesIn({ value, place }: Tree): WrittenFake[] {
  if (isList(value)) {
    return value.flatMap((item, index) => fakesIn({ value: item, place: place.inner.get(String(index)) ?? place }));
  }
  if (!isMap(value)) return [];
  const path = value["fake"];
  const locale = value["locale"] ?? "en";
  if (typeof path === "string" && typeof locale === "string") {
    if (!fakePath.test(path) || !fakeLocale.test(locale)) return []; // told when it is read
    const at = (key: string): WrittenFake["places"]["path"] => placeOf((place.inner.get(key) ?? place).spot);
    return [{ path, locale, places: { path: at("fake"), locale: at("locale") } }];
  }
  return Object.entries(value).flatMap(([key, item]) =>
    scenarioLanguage.dataMaps.has(key) ? [] : fakesIn({ value: item, place: place.inner.get(key) ?? place }),
  );
}

/** The fakes that a scenario draws, each once: to be prepared before it is played (`prepareFakes`). */
export function fakesOf(scenario: Scenario): WantedFake[] {
  const found = new Map<string, WantedFake>();
  const texts = [
    ...scenario.cast.people.flatMap((group) => [group.displayName, group.replies?.with]),
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

/** Puts the fakes of a distribution on a list, each once. */
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
