import { cpus, totalmem } from "node:os";
import { benchApi } from "./api.js";
import { serveForBench } from "./api-server.js";
import { benchConnections } from "./connections.js";
import { benchConsole } from "./console.js";
import { benchConsoleLog } from "./console-log.js";
import { benchDistrict } from "./district.js";
import { benchExpression } from "./expression.js";
import { benchFleet, measureFleet } from "./fleet.js";
import { benchFlow } from "./flow.js";
import { benchImport } from "./import.js";
import { benchKernel } from "./kernel.js";
import { benchLoad } from "./load.js";
import { benchLong } from "./long.js";
import { benchMemory } from "./memory.js";
import { benchExplore } from "./explore.js";
import { benchMinimise } from "./minimise.js";
import { benchPoll } from "./poll.js";
import { benchQuestions } from "./questions.js";
import { benchReconcile } from "./reconcile.js";
import { benchSize } from "./size.js";
import { benchSpacing } from "./spacing.js";
import { benchStart } from "./start.js";
import { benchTesting } from "./testing.js";

const benches: Readonly<Record<string, () => void | Promise<void>>> = {
  kernel: benchKernel,
  expression: benchExpression,
  flow: benchFlow,
  poll: benchPoll,
  start: benchStart,
  fleet: benchFleet,
  api: benchApi,
  load: benchLoad,
  connections: benchConnections,
  console: benchConsole,
  "console-log": benchConsoleLog,
  district: benchDistrict,
  reconcile: benchReconcile,
  import: benchImport,
  size: benchSize,
  questions: benchQuestions,
  spacing: benchSpacing,
  explore: benchExplore,
  minimise: benchMinimise,
  testing: benchTesting,
  long: benchLong,
  memory: () => benchMemory(),
};

const name = process.argv[2];
// Two benches start this file again as a child process, whose memory or CPU time they measure.
if (name === "measure-fleet") await measureFleet();
else if (name === "serve-api") await serveForBench(process.argv[3] ?? "", process.argv[4] ?? "");
else {
  const chosen = name === undefined ? Object.values(benches) : [benches[name]];
  console.log(
    `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB\n`,
  );
  for (const bench of chosen) {
    if (bench === undefined)
      throw new Error(`unknown bench '${name}'; the benches are ${Object.keys(benches).join(", ")}`);
    await bench();
  }
}
