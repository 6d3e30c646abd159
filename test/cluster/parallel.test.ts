import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { unpackPackages } from "./debian-packages.js";
import { fleetDay, installCommand, resultIn, startReceiver, wholeRun } from "./fleet-on-engine.js";

const folder = mkdtempSync(join(tmpdir(), "handset-parallel-"));
const unpacked = await unpackPackages(folder, ["parallel"]);
if (typeof unpacked === "string") process.stderr.write(`GNU parallel's test is skipped: ${unpacked}\n`);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(typeof unpacked === "string")("GNU parallel", () => {
  it("plays four parts, and their merge has the digest of the single run", async () => {
    installCommand(folder);
    writeFileSync(join(folder, "day.yaml"), fleetDay);
    const receiver = await startReceiver();
    const root = typeof unpacked === "string" ? "" : unpacked.root;
    const line =
      `parallel --will-cite --jobs 4 handset run day.yaml --shard auto/4 --start-when-all-ready go ` +
      `--receiver "'${receiver.url}'" --recording part-{}.db --no-report --quiet ::: 1 2 3 4 && ` +
      "handset merge go --output all.db --quiet";
    const path = [join(folder, "bin"), join(root, "usr", "bin"), process.env["PATH"]].join(delimiter);
    await promisify(execFile)("sh", ["-c", line], { cwd: folder, env: { ...process.env, PATH: path, HOME: folder } });
    expect(resultIn(join(folder, "all.db")).digest).toBe((await wholeRun()).digest);
  });
});
