import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { cpuMsOf, processesServing } from "../../../src/lab/host/process-cpu.js";
import { serveHttp } from "../../support/server.js";

const server = `
require("node:child_process").spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
const server = require("node:http").createServer((_, response) => response.end("{}"));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

/** A process that serves HTTP, with its port. */
async function servingProcess(): Promise<{ pid: number; port: number }> {
  const child = spawn(process.execPath, ["-e", server], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { pid: child.pid ?? 0, port: Number(String(port)) };
}

describe.runIf(existsSync("/proc/net/tcp"))("the processes of a receiver", () => {
  it("are those that serve its port: its own children do not count", async () => {
    const { pid, port } = await servingProcess();
    expect(await processesServing(new Set([port]))).toEqual([pid]);
    const here = await serveHttp((_, response) => response.end());
    const both = await processesServing(new Set([port, here.port]));
    expect(both.toSorted((a, b) => a - b)).toEqual([pid, process.pid].toSorted((a, b) => a - b));
    expect(await processesServing(new Set([1]))).toEqual([]);
  });

  it("have a CPU time, as long as they run", async () => {
    const { pid } = await servingProcess();
    expect(cpuMsOf(pid)).toBeGreaterThan(0);
    expect(cpuMsOf(process.pid)).toBeGreaterThan(0);
    expect(cpuMsOf(2 ** 30)).toBeUndefined();
  });
});
