import { cpus, totalmem } from "node:os";
import { benchApi } from "./api.js";
import { serveForBench } from "./api-server.js";
import { benchConnections } from "./connections.js";
import { benchFleet, measureFleet } from "./fleet.js";
import { benchKernel } from "./kernel.js";
import { benchLoad } from "./load.js";
import { benchLong } from "./long.js";
import { benchSize } from "./size.js";

const benches: Readonly<Record<string, () => void | Promise<void>>> = {
  kernel: benchKernel,
  fleet: benchFleet,
  api: benchApi,
  load: benchLoad,
  connections: benchConnections,
  size: benchSize,
  long: benchLong,
};

const wanted = process.argv[2];
if (wanted === "measure-fleet") await measureFleet();
else if (wanted === "serve-api") await serveForBench(process.argv[3] ?? "", process.argv[4] ?? "");
else {
  const chosen = wanted === undefined ? Object.values(benches) : [benches[wanted]];
  console.log(
    `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB\n`,
  );
  for (const bench of chosen) {
    if (bench === undefined) throw new Error(`the benches are ${Object.keys(benches).join(", ")}, not '${wanted}'`);
    await bench();
  }
}
