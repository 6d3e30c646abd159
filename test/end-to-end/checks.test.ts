import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { RunProcess } from "./killed-run.js";
import { play, receiverThat } from "./support.js";

/** A receiver that counts events, and answers its application's own questions at /health and /slow. */
async function application({ isWell = (_asked: number): boolean => true } = {}) {
  const asked: number[] = [];
  const { url, got } = await receiverThat((_, response, { url: path = "" }) => {
    if (path.startsWith("/events")) {
      response.end("{}");
      return;
    }
    const events = got.filter((one) => one.path.startsWith("/events")).length;
    asked.push(events);
    if (path !== "/slow") response.end(JSON.stringify({ ok: isWell(asked.length), events }));
  });
  /** Number of events that it had when it was asked. */
  return { url, asked };
}

/** Ada texts every ten minutes for an hour. */
const day = (more: string): string => `
name: Checks
starts: 2026-03-04T06:00:00.000Z
lasts: 1h
handsets: { clinic: { phone: "+250788000001" } }
people: { ada: { of: clinic, phone: "+250788111111" } }
carriers: { net: { delay: 1s } }
${more}`;

const texts = "  - { at: 5m, every: 10m, text: { from: ada, to: clinic, body: join } }\n";

const tenMinutes = "  - { at: 10m, every: 10m, check: { http: GET /health, json: .ok == true } }\n";

describe("a check", () => {
  it("is asked in lockstep at its moment of the story, when all earlier events are answered", async () => {
    const { url, asked } = await application();
    const { result, exitCode } = await play(day(`story:\n${texts}${tenMinutes}`), { receiver: url });
    expect(asked).toEqual([1, 2, 3, 4, 5, 6]);
    expect(exitCode).toBe(0);
    expect(result.expectations).toMatchObject([
      { text: "check { http: GET /health, json: .ok == true }", held: true, seen: "it held 6 of 6 times" },
    ]);
  });

  it("that fails once fails the run, and the result shows when and how", async () => {
    const { url } = await application({ isWell: (count) => count !== 3 });
    const { result, exitCode } = await play(day(`story:\n${texts}${tenMinutes}`), { receiver: url });
    expect(exitCode).toBe(1);
    const [check] = result.expectations;
    expect(check?.held).toBe(false);
    expect(check?.seen).toBe(
      'it held 5 of 6 times; failed at 30m: status 200, .ok is false; body: {"ok":false,"events":3}',
    );
    expect(check?.check?.results.map(({ atMs, held }) => [atMs, held])).toEqual(
      [10, 20, 30, 40, 50, 60].map((minute) => [60_000 * minute, minute !== 30]),
    );
  });

  it("beside the story is asked at the end, after the drain, or every so often", async () => {
    const { url, asked } = await application();
    const checks = "checks:\n  - { http: GET /health, json: .events == 6 }\n  - { http: GET /health, every: 30m }\n";
    const { result } = await play(day(`drain: 10m\nstory:\n${texts}${checks}`), { receiver: url });
    expect(asked).toEqual([3, 6, 6]);
    expect(result.expectations.map(({ seen }) => seen)).toEqual([
      "status 200, .events is 6, at the end",
      "it held 2 of 2 times",
    ]);
  });

  it("changes nothing in the world: the digest is that of the scenario without it", async () => {
    const { url } = await application();
    const world = `story:\n${texts}  - { at: 1m..30m, every: 20m, battery: { of: clinic, level: 20%..90% } }\n  - { at: 20m..40m, text: { from: ada, to: clinic, body: { pick: [a, b, c] } } }\n`;
    const checked = world.replace("story:\n", `story:\n${tenMinutes}`).replace(texts, texts + tenMinutes);
    const checks = "checks: [{ http: GET /health, every: 7m }, { command: 'exit 1' }]\n";
    const plain = await play(day(world), { receiver: url });
    const asked = await play(day(checked + checks), { receiver: url });
    expect(asked.result.digest).toBe(plain.result.digest);
    expect([plain.exitCode, asked.exitCode]).toEqual([0, 1]);
  });

  it("of a command gets the receiver and the recording, in which the rows so far are", async () => {
    const { url } = await application();
    const folder = temporaryFolder();
    const recording = join(folder, "day.db");
    const told = join(folder, "told.txt");
    const command = `echo $HANDSET_RECEIVER $HANDSET_RECORDING > ${told}; echo two rows >&2; exit 3`;
    const { result } = await play(day(`story:\n${texts}  - { at: 20m, check: { command: "${command}" } }\n`), {
      receiver: url,
      recording,
    });
    expect(readFileSync(told, "utf8").trim()).toBe(`${url} ${recording}`);
    expect(result.expectations[0]).toMatchObject({ held: false, seen: "exit code 3: two rows, at 20m" });
  });

  it("is given up after its time, and its command's children end", async () => {
    const { url } = await application();
    const checks = 'checks: [{ http: GET /slow, within: 50ms }, { command: "sleep 60 & wait", within: 60ms }]\n';
    const { result } = await play(day(checks), { receiver: url });
    expect(result.expectations.map(({ seen }) => seen)).toEqual([
      "no answer: it took longer than 0.05 s, at the end",
      "no answer: it took longer than 0.06 s, at the end",
    ]);
  });

  it("says why nothing answered", async () => {
    const checks = "checks: [{ http: GET http://127.0.0.1:9/x }, { http: GET /x }]\n";
    const { result } = await play(day(checks), { receiver: "none" });
    expect(result.expectations.map(({ seen }) => seen)).toEqual([
      "no answer: ECONNREFUSED, at the end",
      "no answer: there is no receiver, at whose address /x would be: write the whole URL, at the end",
    ]);
    const abroad = play(day("checks: [{ http: GET http://example.com/x }]\n"), { receiver: "none" });
    await expect(abroad).rejects.toMatchObject({ code: "host-not-allowed" });
  });

  it.each(["max", "36000x"] as const)("at %s is asked as often as in lockstep", async (pace) => {
    const { url, asked } = await application();
    const checks = "checks: [{ http: GET /health, json: .events == 6 }]\n";
    const { result, exitCode } = await play(day(`story:\n${texts}${tenMinutes}${checks}`), { receiver: url, pace });
    expect(asked.length).toBe(7);
    expect(result.expectations.map(({ seen }) => seen)).toEqual([
      "it held 6 of 6 times",
      "status 200, .events is 6, at the end",
    ]);
    expect(exitCode).toBe(0);
  });

  it("waits for a condition of the story; if that does not come, it is not asked", async () => {
    const { url, asked } = await application();
    const waiting = (type: string): string =>
      `  - { when: { event: ${type} }, check: { http: GET /health, json: .ok } }\n`;
    const { result } = await play(day(`story:\n${texts}${waiting("mo_sms")}${waiting("mo_miss")}`), { receiver: url });
    expect(asked.length).toBe(1);
    expect(result.expectations.map(({ held }) => held)).toEqual([true]);
  });

  it("needs the whole fleet: a part refuses it", async () => {
    const played = play(day("checks: [{ command: 'true' }]\n"), { shard: { index: 1, count: 2 }, receiver: "none" });
    await expect(played).rejects.toThrow("check { command: true }' does not work in a part of a fleet");
  });

  it("is not asked again by a resumed run", async () => {
    const { url, asked } = await application();
    const folder = temporaryFolder();
    const [file, recording, flag] = ["day.yaml", "day.db", "killed"].map((name) => join(folder, name));
    // The second check kills the run, once.
    const kill = `{ command: "test -f ${flag} || { touch ${flag}; kill -9 $PPID; }" }`;
    writeFileSync(file ?? "", day(`story:\n${texts}${tenMinutes}  - { at: 35m, check: ${kill} }\n`));
    const options = ["-q", "--no-report", "--json"];
    const killed = new RunProcess([file ?? "", "-r", url, "--recording", recording ?? "", ...options]);
    expect((await killed.ended).signal).toBe("SIGKILL");
    expect(asked.length).toBe(3);
    const { code, stdout } = await handset(["run", "--resume", recording ?? "", ...options]);
    expect(asked.length).toBe(6);
    expect(code).toBe(0);
    const { expectations } = JSON.parse(stdout) as { expectations: { seen: string }[] };
    expect(expectations.map(({ seen }) => seen)).toEqual(["it held 6 of 6 times", "exit code 0, at 35m"]);
  });
});

describe("a report on checks", () => {
  it("shows in each format what was asked and what came", async () => {
    const { url } = await application({ isWell: () => false });
    const folder = temporaryFolder();
    const [file, recording] = ["day.yaml", "day.db"].map((name) => join(folder, name));
    writeFileSync(file ?? "", day(`story:\n${texts}`));
    const run = ["run", file ?? "", "-r", url, "--recording", recording ?? "", "--no-report"];
    const { code, stdout } = await handset([...run, "--check", "http: GET /health, json: .ok == true"]);
    expect(code).toBe(1);
    const text = stdout.replaceAll(/\s+/g, " ");
    const asked = "check { http: GET /health, json: .ok == true }";
    const came = '.ok is false; body: {"ok":false,"events":6}, at the end';
    expect(text).toContain(`✘ ${asked}: broken, seen status 200, ${came}`);
    const formats = ["html", "junit", "json"].map(async (format) => {
      const output = join(folder, `report.${format}`);
      expect((await handset(["report", recording ?? "", "--format", format, "-o", output])).code).toBe(0);
      return readFileSync(output, "utf8")
        .replaceAll("&quot;", '"')
        .replaceAll(String.raw`\"`, '"');
    });
    for (const report of await Promise.all(formats)) {
      expect.soft(report).toContain(asked);
      expect.soft(report).toContain(came);
    }
  });

  it("says where a check of the command line is wrong", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "day.yaml");
    writeFileSync(file, day(""));
    const { code, stderr } = await handset(["run", file, "--check", "http: GET /x, json: .ok = 1", "--no-report"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--check:1:25: error[bad-expectation]: 'json' has no operator '='");
    expect(stderr).toContain("write .ok == 1");
  });
});
