import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fixture } from "../field/read-lines.js";
import { sharedFolder } from "../support/folder.js";
import { handset } from "./terminal.js";

const folder = sharedFolder();

describe("handset import", () => {
  it("prints a summary, and exits with 0", async () => {
    const { code, stdout, stderr } = await handset(["import", fixture("nginx-bodies.log")]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^\d+ lines of access-log: \d+ events?, \d+ rejected$/m);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("--json has each key that scripts rely on; lines = events + rejected", async () => {
    const { code, stdout } = await handset(["import", fixture("lines.jsonl"), "--json"]);
    expect(code).toBe(0);
    const summary = JSON.parse(stdout) as Record<string, unknown>;
    const keys =
      "format lines events rejected spelling timezone handsets people from to causes unexplained recording scenario";
    expect(Object.keys(summary)).toEqual(expect.arrayContaining(keys.split(" ")));
    const rejected = Object.values(summary["rejected"] as Record<string, number>);
    expect(summary).toMatchObject({ format: "jsonl", timezone: "UTC", recording: null, scenario: null });
    expect(rejected.reduce((sum, one) => sum + one, Number(summary["events"]))).toBe(summary["lines"]);
  });

  it("opens gzip, whatever the name", async () => {
    const zipped = join(folder, "day.bin");
    writeFileSync(zipped, gzipSync(readFileSync(fixture("nginx-bodies.log"))));
    const [plain, opened] = [
      await handset(["import", fixture("nginx-bodies.log"), "--json"]),
      await handset(["import", zipped, "--json"]),
    ];
    expect(JSON.parse(opened.stdout)).toEqual(JSON.parse(plain.stdout));
  });

  it("-o writes a recording, and not over an existing one", async () => {
    const recording = join(folder, "day.db");
    const argv = ["import", fixture("traffic.gor"), "-o", recording];
    expect(await handset(argv)).toMatchObject({ code: 0 });
    expect((await handset(["events", recording])).stdout).toContain("mo_sms");
    const again = await handset(argv);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain("the file exists already");
    expect(await handset([...argv, "--overwrite"])).toMatchObject({ code: 0 });
  });

  it("--rejects writes each rejected line with its place, reason and text, for its owner only", async () => {
    const rejects = join(folder, "rejects.jsonl");
    const log = join(folder, "bad.jsonl");
    writeFileSync(
      log,
      '{"at": 1772439300, "body": "event=mo_sms&text=a"}\nno JSON\n{"at": "never", "body": "event=x"}\n',
    );
    const { code, stdout } = await handset(["import", log, "--rejects", rejects, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ lines: 3, events: 1, rejected: { "not JSON": 1, "no time": 1 } });
    const lines = readFileSync(rejects, "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { file: "bad.jsonl", line: 2, reason: "not JSON", text: "no JSON" },
      { file: "bad.jsonl", line: 3, reason: "no time", text: '{"at": "never", "body": "event=x"}' },
    ]);
    expect(statSync(rejects).mode & 0o777).toBe(0o600);
    expect(await handset(["import", log, "--rejects", rejects, "--overwrite"])).toMatchObject({ code: 0 });
  });

  it("--rejects writes over no existing file, such as the log itself", async () => {
    const log = join(folder, "day.jsonl");
    const text = '{"at": 1772439300, "body": "event=mo_sms&text=a"}\n';
    writeFileSync(log, text);
    const { code, stdout, stderr } = await handset(["import", log, "--rejects", log]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("day.jsonl exists already");
    expect(readFileSync(log, "utf8")).toBe(text);
  });

  it("refuses a log without bodies with the lines of nginx that log them", async () => {
    const { code, stdout, stderr } = await handset(["import", fixture("without-bodies.log")]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("logs no bodies of requests");
    expect(stderr).toContain("log_format bodies");
    expect(stderr).toContain('"$request_body" $request_time $msec');
  });

  it.each([
    [["--format", "xml"], 2, "--format"],
    [["--format", "sqlite"], 2, "is not a SQLite file"],
    [["--query", "SELECT 1"], 2, "--query does not apply"],
    [["--columns", "time"], 2, "--columns time: write ROLE=COLUMN"],
    [["--columns", "foo=at"], 2, "'foo' is no role and no field of an event"],
    [["--no-sends"], 2, "add --scenario FILE"],
    [["--timezone", "Mars/Base"], 2, "'Mars/Base' is not a time zone"],
    [["--pseudonyms", "maybe"], 2, "--pseudonyms"],
  ])("%j is wrong usage: exit code 2, and the message names the option", async (options, exitCode, message) => {
    const { code, stdout, stderr } = await handset(["import", fixture("lines.jsonl"), ...options]);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: "" });
    expect(stderr).toContain(message);
  });

  it.each([
    [join(folder, "missing.log"), "missing.log cannot be read"],
    [folder, "is a folder"],
  ])("a file that cannot be read is a fault of the environment: exit code 3", async (file, message) => {
    const { code, stdout, stderr } = await handset(["import", file]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("says what a file is that no reader knows", async () => {
    const file = join(folder, "notes.txt");
    writeFileSync(file, "milk, eggs\nand bread\n");
    const { code, stderr } = await handset(["import", file]);
    expect(code).toBe(2);
    expect(stderr).toContain("notes.txt");
  });

  it("a log without a single event has a summary, and exit code 2", async () => {
    const file = join(folder, "none.jsonl");
    writeFileSync(file, '{"at":"never","body":"event=mo_sms&text=a"}\n');
    const { code, stdout } = await handset(["import", file]);
    expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringContaining("0 events, 1 rejected") });
  });

  it("does not show the bytes of a binary file as columns", async () => {
    const file = join(folder, "app.bin");
    writeFileSync(file, "\u0002app,\0\0;data\0\n\u0001\0,\0\n");
    const { code, stderr } = await handset(["import", file]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("none of the known formats") });
  });
});
