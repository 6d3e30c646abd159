import { LabError } from "../base/index.js";
import { fakesOf, type Scenario } from "../scenario/index.js";
import { type Fakes, prepareFakes, type WantedFake } from "../sim/index.js";

/** Loads the faker locales and methods that a scenario uses. @throws LabError `bad-fake` */
export function prepareScenarioFakes(scenario: Scenario): Promise<Fakes> {
  return loadFakes(fakesOf(scenario));
}

/** Loads locales and methods of faker. @throws LabError `bad-fake` */
export async function loadFakes(wanted: readonly WantedFake[]): Promise<Fakes> {
  try {
    return await prepareFakes(wanted);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new LabError("bad-fake", error.message, {
      hint: "see fakerjs.dev for its locales and methods",
      cause: error,
    });
  }
}
