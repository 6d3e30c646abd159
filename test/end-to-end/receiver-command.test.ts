import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  LabError,
  openRecording,
  renderHtml,
  renderJunit,
  renderSummary,
  replayRecording,
  resultOf,
} from "../../src/index.js";
import { studyCapacity } from "../../src/study/index.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { isAlive } from "../support/process.js";
import { freePort } from "../support/server.js";
import { until } from "../support/until.js";
import { RunProcess } from "./killed-run.js";
import { play, smallDay } from "./support.js";

/**
 * The command of a receiver that listens at the port in `PORT`, and runs `code` for each event: `fields`, `nth` and
 * `answer` are given.
 */
function commandOf(code: string, start = ""): string[] {
  const script = join(temporaryFolder(), "receiver.mjs");
  writeFileSync(
    script,
    `import { createServer } from "node:http";
     let nth = 0;
     ${start}
     createServer((request, response) => {
       let body = "";
       request.on("data", (chunk) => (body += chunk));
       request.on("end", () => {
         const fields = new URLSearchParams(body);
         const answer = () => response.end("{}");
         nth++;
         ${code}
       });
     }).listen(Number(process.env.PORT), "127.0.0.1");`,
  );
  return [process.execPath, script];
}

const crash = `if (nth === 100) throw new TypeError("cannot read 'sentAt' of undefined"); answer();`;

async function freeUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}/`;
}

describe("a receiver that a run starts", () => {
  it("finds its port in PORT and its URL in HANDSET_RECEIVER, and its output is kept", async () => {
    const recording = join(temporaryFolder(), "run.db");
    const receiver = await freeUrl();
    const command = commandOf("answer();", `console.error("listening at", process.env.HANDSET_RECEIVER);`);
    const { result, exitCode } = await play(smallDay, { command, receiver, recording });
    expect(exitCode).toBe(0);
    // It did not end by itself.
    expect(result.receiver).toBeUndefined();
    const reader = openRecording(recording);
    try {
      const html = renderHtml(reader);
      expect(html).toContain(`listening at ${receiver}`);
      expect(html).toContain("receiver.mjs</code>");
    } finally {
      reader.close();
    }
  });

  it("and that dies: how it ended and its stderr are in result, summary, report, JUnit and recording; exit 1", async () => {
    const recording = join(temporaryFolder(), "run.db");
    const command = commandOf(crash);
    const { result, exitCode } = await play(smallDay, { command, receiver: await freeUrl(), recording });
    expect(exitCode).toBe(1);
    expect(result.receiver).toMatchObject({ command: command.join(" "), exitCode: 1, signal: null, stdout: "" });
    expect(result.receiver?.stderr).toContain("TypeError: cannot read 'sentAt' of undefined");
    const [death] = result.findings ?? [];
    expect(death?.text).toMatch(
      /^The receiver died at 0:\d\d:\d\d \(exit code 1; connections closed.*\), after \d+ answers?; under way: \w+ \d+\/\d+/,
    );
    expect(result.problems).toEqual([death?.text]);
    const summary = renderSummary(result, { colour: false, width: 80 });
    expect(summary).toContain("The receiver wrote last\n");
    expect(summary).toContain("  TypeError: cannot read 'sentAt' of undefined\n");
    for (const line of summary.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const reader = openRecording(recording);
    try {
      expect(resultOf(reader)).toEqual(result);
      const html = renderHtml(reader);
      expect(html).toContain("TypeError: cannot read &#39;sentAt&#39; of undefined");
      expect(html).toContain("</code> ended by itself: exit code 1.");
      expect(html).toContain(`→ ${death?.where.replace("RECORDING", recording)}`);
      expect(renderJunit(result, reader.meta())).toMatch(
        /<failure message="The receiver died[^]*<system-err>[^]*TypeError: cannot read &#39;sentAt&#39; of undefined/,
      );
    } finally {
      reader.close();
    }
  });

  it("and that dies at a special event: the finding says so, also if no connection was refused before the run stopped", async () => {
    const command = commandOf(`if (fields.get("text") === "see you 🌍") process.exit(4); answer();`);
    const step = `  - at: 1h\n    text: { from: farmers/3, to: clinic/3, body: "see you 🌍" }\n`;
    const recording = join(temporaryFolder(), "run.db");
    const { result } = await play(`${smallDay}${step}`, { command, receiver: await freeUrl(), recording });
    expect(result.findings?.[0]?.text).toMatch(/under way: mo_sms \d+\/\d+ \(has an emoji in its text\)/);
  });

  it("is named as ended by a signal, and by itself with exit code 0", async () => {
    const killed = commandOf(`if (nth === 50) process.kill(process.pid, "SIGKILL"); else answer();`);
    const first = await play(smallDay, { command: killed, receiver: await freeUrl() });
    expect(first.result.receiver).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect(first.result.findings?.[0]?.text).toMatch(/^The receiver died at \S+ \(SIGKILL[;)]/);
    const left = commandOf(`if (nth === 50) process.exit(0); else answer();`);
    const second = await play(smallDay, { command: left, receiver: await freeUrl() });
    expect(second.exitCode).toBe(1);
    expect(second.result.findings?.[0]?.text).toMatch(/^The receiver ended by itself at \S+ \(exit code 0[;)]/);
  });

  it("keeps the last 64 KiB of a long output, from a whole line on", async () => {
    const noisy = commandOf(
      `if (nth === 50) process.exit(7); answer();`,
      `for (let line = 1; line <= 20000; line++) process.stdout.write("line " + line + "\\n");`,
    );
    const { result } = await play(smallDay, { command: noisy, receiver: await freeUrl() });
    const { stdout = "" } = result.receiver ?? {};
    expect(stdout.length).toBeLessThanOrEqual(64 * 1024);
    expect(stdout.length).toBeGreaterThan(60 * 1024);
    expect(stdout).toMatch(/^line \d+\n/);
    expect(stdout.endsWith("line 20000\n")).toBe(true);
  });

  it("shows no secret that it has logged, and no colours", async () => {
    const text = smallDay.replace(
      "handsets:",
      "receiver: { url: http://127.0.0.1:9/, headers: { Authorization: Bearer sesame-sesame } }\nhandsets:",
    );
    const command = commandOf(
      `if (nth === 20) throw new Error("\\u001b[31mred\\u001b[0m " + request.headers.authorization); answer();`,
    );
    const { result } = await play(text, { command, receiver: await freeUrl() });
    expect(result.receiver?.stderr).toContain("Error: red ");
    expect(JSON.stringify(result)).not.toContain("sesame");
  });

  it("and that ends before it answers anything: exit 3, with its last words on stderr", async () => {
    const failing = commandOf("answer();", `throw new Error("no database");`);
    await expect(play(smallDay, { command: failing, receiver: await freeUrl() })).rejects.toThrow(
      /ended by itself \(exit 1\)/,
    );
  });

  it("that does not listen where it has to: the error says where, and how to name another place", async () => {
    const receiver = await freeUrl();
    const elsewhere = [process.execPath, "-e", "setTimeout(() => {}, 60000)"];
    const error = await play(smallDay, { command: elsewhere, receiver, waitMs: 200 }).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(LabError);
    expect(error).toMatchObject({ code: "no-receiver" });
    expect((error as LabError).hint).toContain("PORT has the port");
  });

  it("dies while a replay plays: the same", async () => {
    const path = join(temporaryFolder(), "run.db");
    await play(smallDay, { receiver: "none", recording: path });
    const recording = join(temporaryFolder(), "again.db");
    const argv = ["replay", path, "-r", await freeUrl(), "--recording", recording, "--json", "--", ...commandOf(crash)];
    const { code, stdout } = await handset(argv);
    expect(code).toBe(1);
    const { receiver, problems } = JSON.parse(stdout) as { receiver: { stderr: string }; problems: string[] };
    expect(receiver.stderr).toContain("TypeError");
    expect(problems[0]).toMatch(/^The receiver died at /);
    // A healthy one is started, waited for and ended, too.
    const healthy = await replayRecording(path, {
      receiver: await freeUrl(),
      command: commandOf("answer();"),
      recording: "none",
    });
    expect(healthy.exitCode).toBe(0);
  });

  it("needs a URL or a command for a replay", async () => {
    const path = join(temporaryFolder(), "run.db");
    await play(smallDay, { receiver: "none", recording: path });
    const { code, stderr } = await handset(["replay", path]);
    expect(code).toBe(2);
    expect(stderr).toContain("name your receiver with -r URL, or start it with -- COMMAND");
  });

  it("prints with --quiet that it died", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "day.yaml");
    writeFileSync(file, smallDay);
    const argv = ["run", file, "-q", "--no-report", "--recording", join(folder, "run.db"), "-r", await freeUrl()];
    const { code, stdout, stderr } = await handset([...argv, "--", ...commandOf(crash)]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^handset: The receiver died at /);
  });

  it("dies in a search for its capacity: the search says so, ends with what it knows, and with 1", async () => {
    const scenario = `
name: Texts
lasts: 20s
handsets: { clinic: { count: 20, phone: "+2507880{00000}", network: LTE } }
people: { farmers: { count: 100, of: clinic, phone: "+2507811{00000}" } }
traffic:
  - texts: { from: farmers, to: clinic, body: hello }
    rate: 30/m
`;
    const study = await studyCapacity({
      source: { text: scenario, file: "texts.yaml", nowMs: 0, set: [] },
      command: commandOf(`if (fields.get("event") === "mo_sms" && nth > 30) process.exit(9); answer();`),
      receiver: await freeUrl(),
      vary: [{ path: "traffic.0.rate" }],
      speed: 60,
      warmUpMs: 0,
      coolDownMs: 0,
      recoverMs: 300,
    });
    expect(study.problem).toMatch(/ended by itself \(exit 9\); the receiver at \S+ did not come back after a trial/);
    expect(study.results[0]?.limitedBy).toBe("receiver");
  });
});

it("is ended with its children, even if it ignores SIGTERM and Ctrl-C comes twice", async () => {
  const folder = temporaryFolder();
  const [day, pids] = [join(folder, "day.yaml"), join(folder, "pids")];
  writeFileSync(day, smallDay);
  const child = `require("node:child_process").spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"]).pid`;
  const stubborn = commandOf(
    // It answers some events, and then hangs.
    `if (nth < 20) answer(); else if (nth === 20) writeFileSync(${JSON.stringify(pids)}, pids.join(" "));`,
    `import { writeFileSync } from "node:fs"; import { createRequire } from "node:module";
     const require = createRequire(import.meta.url);
     const pids = [process.pid, ${child}];
     process.on("SIGTERM", () => {});`,
  );
  const run = new RunProcess([day, "--no-report", "--recording", "none", "-r", await freeUrl(), "--", ...stubborn]);
  onTestFinished(() =>
    pidsIn(pids)
      .filter(isAlive)
      .forEach((pid) => process.kill(pid, "SIGKILL")),
  );
  await until(() => pidsIn(pids).length === 2, "the receiver hangs");
  run.child.kill("SIGINT");
  await until(() => run.stderr().includes("stopping"), "the run is stopping");
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  await until(() => !pidsIn(pids).some(isAlive), "receiver and child have ended");
});

function pidsIn(file: string): number[] {
  return existsSync(file) ? readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number) : [];
}

it("a command beside `-r bundled` is an application, and gets no port of a receiver", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "port");
  const script = `require("fs").writeFileSync(${JSON.stringify(file)}, process.env.PORT ?? "none"); setTimeout(() => {}, 60000)`;
  const { exitCode } = await play(smallDay, { command: [process.execPath, "-e", script], receiver: "bundled" });
  expect(exitCode).toBe(0);
  if (existsSync(file)) expect(readFileSync(file, "utf8")).toBe(process.env["PORT"] ?? "none");
});
