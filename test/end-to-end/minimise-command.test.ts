import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { isAlive } from "../support/process.js";
import { until } from "../support/until.js";
import { command } from "./server-process.js";

/** A receiver that fails at "fire" after "arm"; it notes its process id and its port. @param waitMs - before each answer */
function receiverScript(folder: string, waitMs: number): string {
  const script = join(folder, "receiver.mjs");
  writeFileSync(
    script,
    `import { createServer } from "node:http";
     import { appendFileSync } from "node:fs";
     const port = Number(process.argv[2]);
     appendFileSync(${JSON.stringify(join(folder, "started"))}, process.pid + " " + port + "\\n");
     let isArmed = false;
     createServer((request, response) => {
       let body = "";
       request.on("data", (chunk) => (body += chunk));
       request.on("end", () => {
         const text = new URLSearchParams(body).get("text");
         if (text === "arm") isArmed = true;
         setTimeout(() => {
           if (text === "fire" && isArmed) response.statusCode = 500;
           response.end("{}");
         }, ${waitMs});
       });
     }).listen(port, "127.0.0.1");`,
  );
  return script;
}

function startedBy(folder: string): { readonly pid: number; readonly port: number }[] {
  const file = join(folder, "started");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  return lines.map((line) => line.split(" ").map(Number)).map(([pid = 0, port = 0]) => ({ pid, port }));
}

/** A log in which "arm" is at a third and "fire" at the end. */
function dayIn(folder: string, count: number): string {
  const path = join(folder, "day.jsonl");
  const lines = Array.from({ length: count }, (_, place) => {
    const text = place === Math.floor(count / 3) ? "arm" : place === count - 1 ? "fire" : `hello ${place}`;
    const time = new Date(Date.UTC(2026, 2, 3, 7, 0, place)).toISOString();
    const phone = `+2507811${String(10_000 + place)}`;
    const body = new URLSearchParams({ event: "mo_sms", sms: String(place + 1), phone, text, time });
    return JSON.stringify({ at: time, body: String(body) });
  });
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

const target = ["-r", "http://127.0.0.1:{port}/", "--while", "status 500"];

it("a command with {port} is started for each trial, each time with a port of its own", async () => {
  const folder = temporaryFolder();
  const script = receiverScript(folder, 0);
  const { code, stdout, stderr } = await handset([
    "minimise",
    dayIn(folder, 40),
    ...target,
    "--json",
    "--",
    process.execPath,
    script,
    "{port}",
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const result = JSON.parse(stdout) as { readonly plays: number };
  expect(result).toMatchObject({ oneMinimal: true, contaminated: false, after: { events: 2 } });
  const started = startedBy(folder);
  expect(started.length).toBeGreaterThanOrEqual(result.plays);
  expect(new Set(started.map(({ pid }) => pid)).size).toBe(started.length);
  expect(started.some(({ pid }) => isAlive(pid))).toBe(false);
});

it("Ctrl-C ends the search with the smallest input so far, which is not called proven, and leaves no receiver behind", async () => {
  const folder = temporaryFolder();
  const script = receiverScript(folder, 20);
  const bug = join(folder, "fire.bug.yaml");
  const words = ["minimise", dayIn(folder, 40), ...target, "-o", bug, "--", process.execPath, script, "{port}"];
  const child = spawn(process.execPath, [command, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => {
    for (const { pid } of startedBy(folder)) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    child.kill("SIGKILL");
  });
  let stdout = "";
  child.stdout.on("data", (part: Buffer) => (stdout += part.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  // The first play has ended: a trial of another receiver has begun, and with two spares the fourth is of the search.
  await until(() => startedBy(folder).length >= 5, "the search has begun");
  child.kill("SIGINT");
  expect(await ended).toBe(0);
  expect(stdout).toMatch(/^! 40 events(, not reduced| reduced to \d+ so far): it was stopped by hand$/m);
  expect(stdout).toMatch(/minimal +not proven, it was stopped by hand/);
  expect(stdout).not.toContain("✔");
  expect(readFileSync(bug, "utf8")).toContain("a smaller one may exist");
  await until(() => !startedBy(folder).some(({ pid }) => isAlive(pid)), "no receiver is left");
});

it("a log that does not exist is named in words, by minimise and by import", async () => {
  const path = join(temporaryFolder(), "none.jsonl");
  for (const argv of [
    ["minimise", path, "-r", "http://127.0.0.1:9/", "--while", "status 500"],
    ["import", path],
  ]) {
    const { code, stderr } = await handset(argv);
    expect(code).toBe(3);
    expect(stderr).toBe("handset: none.jsonl cannot be read: there is no such file or folder (ENOENT)\n");
  }
});
