import { prepareScenarioFakes } from "../lab/index.js";
import { LabRun, type LabRunOptions } from "./lab/lab-run.js";
import { scenarioOf } from "./lab/scenario-of.js";
import { type TestLab, testLabOf } from "./lab/test-lab.js";
import type { StartLabOptions } from "./options.js";
import { ReceiverFront } from "./receiver/front.js";

/**
 * Starts a lab in this process: virtual phones, people and the service behind them, before your receiver. Its clock
 * stands still between calls. Labs know nothing of each other, so tests can run in parallel.
 *
 * @throws LabError `bad-options`, `not-read`, `host-not-allowed`, `bad-fake`; ScenarioError
 */
export async function startLab(options: StartLabOptions = {}): Promise<TestLab> {
  const scenario = scenarioOf(options);
  const { receiver, path = "/", allowHosts = [] } = options;
  const named = receiver ?? (scenario.receiver?.url === "bundled" ? undefined : scenario.receiver?.url);
  const front = named === "none" ? undefined : await ReceiverFront.open({ receiver: named, path, allowHosts });
  try {
    const fakes = await prepareScenarioFakes(scenario);
    const shared: LabRunOptions = { scenario, fakes, front, allowHosts };
    return testLabOf(await LabRun.start(shared), shared);
  } catch (error) {
    await front?.close();
    throw error;
  }
}
