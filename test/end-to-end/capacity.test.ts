import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording } from "../../src/index.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { receiverThat, type TestReceiver } from "./support.js";

const scenario = `
name: Texts
lasts: 1m
handsets:
  clinic: { count: 20, phone: "+2507880{00000}", network: LTE }
people:
  farmers: { count: 100, of: clinic, phone: "+2507811{00000}" }
traffic:
  - texts: { from: farmers, to: clinic, body: hello }
    rate: 30/m
`;

function fileOf(text: string): string {
  const file = join(temporaryFolder(), "texts.yaml");
  writeFileSync(file, text);
  return file;
}

/** A receiver that handles one request at a time at a fixed rate, so its capacity is known. */
function singleFile(perSecond: number): Promise<TestReceiver> {
  let freeAtMs = 0;
  return receiverThat((_, response) => {
    const nowMs = performance.now();
    freeAtMs = Math.max(nowMs, freeAtMs) + 1000 / perSecond;
    setTimeout(() => response.end("{}"), freeAtMs - nowMs);
  });
}

/** Shorter trials, for tests that do not depend on their length: a trial at the first rate has ten events. */
const short = ["--set", "lasts=20s"];

/** A trial is judged on a busy machine, too: what it checks is the command, not the receiver's speed. */
const quick = "--pace 60x --warmup 0s --cool-down 0s --late 2s --precision 20% --judge-busy".split(" ");

interface Found {
  readonly problem?: string;
  readonly model: string;
  readonly results: readonly {
    readonly kind: string;
    readonly sentence: string;
    readonly holds?: number;
    readonly breaks?: number;
    readonly limitedBy?: string;
    readonly connectionsToTry?: number;
    readonly knee?: { readonly low: number; readonly high: number; readonly confidence: number };
    readonly levels: readonly { readonly value: number }[];
    readonly trials: readonly {
      readonly verdict: string;
      readonly reasons: string[];
      readonly recording: string | null;
    }[];
  }[];
}

async function capacity(
  argv: readonly string[],
  press?: (press: () => void) => void,
): Promise<{ code: number; stderr: string; found: Found | undefined }> {
  const options = press === undefined ? {} : { interrupts: press };
  const { code, stdout, stderr } = await handset(["capacity", ...argv, "--json"], options);
  return { code, stderr, found: stdout === "" ? undefined : (JSON.parse(stdout) as Found) };
}

describe("handset capacity", () => {
  it("finds what a receiver of known capacity holds, in the time it was given", async () => {
    const receiver = await singleFile(100);
    const argv = [fileOf(scenario), "--receiver", receiver.url, "--vary", "traffic/0.rate", "--from", "10/m"];
    const { code, found, stderr } = await capacity([
      ...argv,
      ...quick,
      "--precision",
      "50%",
      "--time-limit",
      "12s",
      "--set",
      "lasts=1m",
    ]);
    expect(stderr).toContain("a ramp of short trials finds the place");
    expect(stderr).toMatch(/This takes at\s+most \d+ s,\s+until \d\d:\d\d/);
    expect(code).toBe(0);
    expect(found?.model).toBe("open");
    const [result] = found?.results ?? [];
    expect(result?.kind).toBe("knee");
    // 100 a wall second are 100 a virtual minute at 60x. The bounds are wide, as the knee depends on the machine;
    // other tests check the search itself on a virtual clock.
    expect(result?.knee?.low).toBeLessThan(300);
    expect(result?.knee?.high).toBeGreaterThan(30);
    expect(result?.knee?.confidence).toBe(0.9);
    expect(result?.trials[0]).toMatchObject({ phase: "ramp", recording: null });
  });

  it("goes up to a bound and no further, keeps recordings, and takes two values in turn", async () => {
    const receiver = await receiverThat((_, response) => void response.end("{}"));
    const folder = join(temporaryFolder(), "kept");
    const text = `${scenario}story:\n  - at: 10s\n    network: { of: clinic/0..3, type: none, for: 20s }\n`;
    const { code, found, stderr } = await capacity([
      fileOf(text),
      "-r",
      receiver.url,
      "--vary",
      "traffic.0.rate",
      "--to",
      "60/m",
      "--vary",
      "story/0.network.of",
      "--to",
      "8",
      "--keep",
      folder,
      "--set",
      "lasts=30s",
      ...quick,
    ]);
    expect(stderr).toContain("passed");
    expect(code).toBe(0);
    const [rate, storm] = found?.results ?? [];
    expect(rate).toMatchObject({ kind: "at-least", holds: 60, limitedBy: "bound" });
    expect(rate?.sentence).toBe("takes at least 60 texts/m; that was the highest value to try");
    expect(storm).toMatchObject({ kind: "at-least", holds: 8 });
    expect(storm?.sentence).toContain("a reconnect storm of 8 phones");
    const path = rate?.trials.at(-1)?.recording ?? "";
    const recording = openRecording(path);
    expect(recording.end()).toBeDefined();
    recording.close();
  });

  it("fails a receiver that refuses, unless the condition speaks of it; not even the easiest value: 1", async () => {
    const receiver = await receiverThat((_, response) => void response.writeHead(503).end());
    const argv = [
      fileOf(scenario),
      "-r",
      receiver.url,
      "--vary",
      "traffic.0.rate",
      "--from",
      "30",
      "--to",
      "30",
      ...short,
    ];
    const strict = await capacity([...argv, ...quick, "--pass", "delivery.p99 < 1m"]);
    expect(strict.code).toBe(1);
    expect(strict.found?.results[0]?.sentence).toMatch(
      /^cannot take 30 texts\/m: not all attempts were accepted: \d+ refused/,
    );
    const lenient = await capacity([...argv, ...quick, "--pass", "attempts.refused > 0"]);
    expect(lenient.code).toBe(0);
  });

  it("counts a trial that passed although this machine was late", async () => {
    const receiver = await receiverThat((_, response) => void response.end("{}"));
    const argv = [fileOf(scenario), "-r", receiver.url, "--vary", "traffic.0.rate", "--from", "30", ...short, ...quick];
    // With a bound of 0 s every trial is late.
    const { code, found } = await capacity([...argv, "--late", "0s", "--to", "30", "--pass", "delivery.p99 < 1m"]);
    expect(code).toBe(0);
    expect(found?.results[0]).toMatchObject({ kind: "at-least", holds: 30, limitedBy: "bound" });
    expect(found?.results[0]?.trials.map(({ verdict }) => verdict)).not.toContain("void");
  });

  it("tells what it knows of a receiver that does not come back after a trial, and ends with 1", async () => {
    let isDead = false;
    const receiver = await receiverThat((_, response, request) => {
      if (isDead) request.socket.destroy();
      else response.end("{}");
      // In the second trial: the first has ten events, and some requests only probe whether the receiver answers.
      if (receiver.got.length === 25) isDead = true;
    });
    const argv = [fileOf(scenario), "-r", receiver.url, "--vary", "traffic.0.rate", ...short, ...quick];
    const { code, found } = await capacity([...argv, "--recover", "300ms"]);
    expect(code).toBe(1);
    expect(found?.problem).toContain("did not come back after a trial");
    expect(found?.results[0]?.limitedBy).toBe("receiver");
    expect(found?.results[0]?.trials.length).toBeGreaterThan(0);
  });

  it("says that the requested connections, not the receiver, are the limit", async () => {
    const receiver = await receiverThat((_, response) => void setTimeout(() => response.end("{}"), 250));
    // 25 connections, 250 ms a request: 100 a wall second, which are 100 a virtual minute at 60x.
    const rates = ["--vary", "traffic.0.rate", "--from", "50", "--to", "200", "--connections", "25"];
    const argv = [fileOf(scenario), "-r", receiver.url, ...rates, ...quick, "--time-limit", "9s"];
    const { found, stderr } = await capacity([...argv, "--set", "lasts=90s"]);
    expect(found?.results[0]?.trials.find(({ verdict }) => verdict === "failed")?.reasons[0]).toBe(
      "our 25 connections are the limit: all in use, and the receiver no slower",
    );
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("/m: our 25 connections are the limit, not the receiver");
    expect(found?.results[0]?.limitedBy).toBe("connections");
    const { connectionsToTry = NaN, sentence } = found?.results[0] ?? {};
    expect(connectionsToTry).toBeGreaterThanOrEqual(50);
    expect(sentence).toContain(`as at low load): try --connections ${connectionsToTry}`);
    expect(stderr).not.toContain("not steady");
  });

  it("can be stopped, tells what it knows, and ends with 1", async () => {
    let press = (): void => undefined;
    const receiver = await receiverThat((_, response) => {
      response.end("{}");
      if (receiver.got.length === 10) press();
    });
    const argv = [fileOf(scenario), "-r", receiver.url, "--vary", "traffic.0.rate", ...quick];
    const { code, found } = await capacity(argv, (pressed) => (press = pressed));
    expect(code).toBe(1);
    expect(found?.results[0]?.limitedBy).toBe("stopped");
    expect(found?.results[0]?.trials.at(-1)).toMatchObject({ verdict: "void", reasons: ["stopped by hand"] });
    expect(found?.results[0]?.sentence).toBe(
      "the limit is unknown: the search was stopped in trial 1, at 30 texts/m, before a trial had ended",
    );
  });

  it("claims nothing of the trial in which it was stopped, and does not begin with another value", async () => {
    let press = (): void => undefined;
    const receiver = await receiverThat((_, response) => {
      response.end("{}");
      // In the second trial of the ramp: the first has 10 events, the second 100.
      if (receiver.got.length === 50) press();
    });
    const varied = ["--vary", "traffic.0.rate", "--vary", "handsets.clinic.count"];
    const argv = [fileOf(scenario), "-r", receiver.url, ...varied, ...short, ...quick];
    const { code, found, stderr } = await capacity(argv, (pressed) => (press = pressed));
    expect(code).toBe(1);
    expect(found?.results).toHaveLength(1);
    expect(found?.results[0]?.trials.map(({ verdict }) => verdict)).toEqual(["passed", "void"]);
    expect(found?.results[0]?.sentence).toBe(
      "short trials alone: takes at least 30 texts/m; it was stopped before it broke",
    );
    expect(stderr).not.toContain("Varying handsets");
    expect(stderr).not.toContain("Note");
  });

  it("can be stopped while it waits for the receiver", async () => {
    const argv = [fileOf(scenario), "-r", "http://127.0.0.1:9/", "--vary", "traffic.0.rate", "--wait", "1h", ...quick];
    // The full wait would exceed the test's timeout.
    const { code, found, stderr } = await capacity(argv, (press) => press());

    expect(code).toBe(1);
    expect(found?.results[0]?.sentence).toBe("the limit is unknown: the search was stopped before the first trial");
    expect(stderr).not.toContain("passed");
  });

  it("says where it was stopped when that was during warm-up", async () => {
    let press = (): void => undefined;
    const receiver = await receiverThat((_, response) => {
      response.end("{}");
      // Three probes come before the warm-up, so the study is stopped as the warm-up begins.
      if (receiver.got.length === 3) press();
    });
    const argv = [fileOf(scenario), "-r", receiver.url, "--vary", "traffic.0.rate", ...quick, "--warmup", "20s"];
    const { code, found, stderr } = await capacity([...argv, "--pace", "1x"], (pressed) => (press = pressed));
    expect(stderr).not.toContain("had no event");
    expect(code).toBe(1);
    expect(found?.results[0]).toMatchObject({ kind: "unknown", limitedBy: "stopped", trials: [] });
    expect(found?.results[0]?.sentence).toBe("the limit is unknown: the search was stopped before the first trial");
  });

  it("ends with 3 if nothing answers", async () => {
    const { code, stderr } = await capacity([
      fileOf(scenario),
      "-r",
      "http://127.0.0.1:9/",
      "--vary",
      "traffic.0.rate",
      ...quick,
    ]);
    expect(code).toBe(3);
    expect(stderr).toContain("no answer from http://127.0.0.1:9/ (ECONNREFUSED)");
  });

  it.each([
    [["--vary", "traffic/0.rat"], "the scenario has no 'rat'", "did you mean 'rate'?"],
    [["--vary", "traffic/0"], "is not a single value", "texts, rate"],
    [["--vary", "name"], "'Texts' at 'name' cannot be varied", "a count, a rate"],
    [["--vary", "traffic/0.rate", "--from", "5%"], "--from 5% is not a value like '30/m'", "write it as 30/m"],
    [["--vary", "traffic/0.rate", "--pass", "delivry.p99 < 1s"], "names no metric: 'delivry.p99'", "delivery.p99"],
    [["--vary", "traffic/0.rate", "--pace", "max"], "closed model", "a speed such as 1x"],
    [["--vary", "traffic/0.rate", "--trials", "2"], "odd number", ""],
    [[], "--vary is missing", "handsets.clinic.count"],
  ])("refuses %j with the reason", async (flags, message, hint) => {
    const { code, stderr } = await capacity([fileOf(scenario), "-r", "http://127.0.0.1:9/", ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it("refuses a host that was not named", async () => {
    const { code, stderr } = await capacity([
      fileOf(scenario),
      "-r",
      "http://203.0.113.7/",
      "--vary",
      "traffic.0.rate",
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("--allow-host");
  });
});
