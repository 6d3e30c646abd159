import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { handReference, readHand } from "../../src/scenario/index.js";
import { announceRunning, runningFolder, runningLabs } from "../../src/serve/announcements.js";
import { receiverThat } from "../end-to-end/support.js";
import { base, sound } from "../scenario/help.js";
import { temporaryFolder } from "../support/folder.js";
import { type Ended, handset } from "./terminal.js";

const done = { at: "2026-03-04T07:05:00.000Z", done: "farmers/3 texts clinic/3" };

let folder = "";
beforeEach(() => {
  folder = join(temporaryFolder(), "run");
  mkdirSync(folder);
  vi.stubEnv("XDG_RUNTIME_DIR", folder);
  vi.stubEnv("HANDSET_LAB", undefined);
  vi.stubEnv("HANDSET_LAB_TOKEN", undefined);
});
afterEach(() => void vi.unstubAllEnvs());

interface Asked {
  readonly what: string;
  readonly token: string | undefined;
  readonly type: string | undefined;
  readonly body: unknown;
}

/** A lab's control API, that accepts everything and answers as set up. */
async function labThat(
  answer: object | ((response: ServerResponse) => void) = done,
): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const { url } = await receiverThat((body, response, request) => {
    const { authorization: token, "content-type": type } = request.headers;
    const isJson = type === "application/json";
    asked.push({ what: `${request.method} ${request.url}`, token, type, body: isJson ? JSON.parse(body) : body });
    if (typeof answer === "function") answer(response);
    else response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  });
  return { url: new URL(url).origin, asked };
}

function refusal(status: number, answer: unknown): (response: ServerResponse) => void {
  return (response) =>
    void response.writeHead(status).end(typeof answer === "string" ? answer : JSON.stringify(answer));
}

/** Runs `handset do …` against a lab that is announced on this machine. */
async function act(
  argv: readonly string[],
  answer?: Parameters<typeof labThat>[0],
): Promise<Ended & { asked: Asked[]; url: string }> {
  const lab = await labThat(answer);
  announceRunning({ url: lab.url, token: "secret" });
  return { ...(await handset(["do", ...argv])), ...lab };
}

describe("handset do VERB", () => {
  it("posts the arguments to the lab that is served here, with its token, and says what was done", async () => {
    const argv = ["text", "--from", "farmers/3", "--to", "clinic/3", "--body", "maize: 12kg # now"];
    const { code, stdout, stderr, asked, url } = await act(argv);
    expect([code, stdout, stderr]).toEqual([
      0,
      `2026-03-04T07:05:00.000Z  farmers/3 texts clinic/3  (lab ${url})\n`,
      "",
    ]);
    expect(asked).toEqual([
      {
        what: "POST /lab/do/text",
        token: "Token secret",
        type: "application/json",
        body: { from: "farmers/3", to: "clinic/3", body: "maize: 12kg # now" },
      },
    ]);
  });

  it("prints the answer as JSON", async () => {
    const { stdout, url } = await act(["reboot", "--of", "clinic", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ ...done, lab: url });
  });

  it.each<[argv: string[], body: unknown]>([
    [
      ["text", "--from", "a", "--to", "b", "--body", "{ pick: [a, 012] }"],
      { from: "a", to: "b", body: { pick: ["a", "012"] } },
    ],
    [["text", "--from", "a", "--to", "b", "--body", "[yes, no]"], { from: "a", to: "b", body: ["yes", "no"] }],
    [
      ["event", "--of", "a", "--type", "mo_mms", "--fields", "{ phone: +250788000001 }"],
      { of: "a", type: "mo_mms", fields: { phone: "+250788000001" } },
    ],
    [["sync", "--of", "clinic", "--now"], { of: "clinic", now: true }],
    [
      ["sync", "--of", "clinic", "--loses", "response", "--times", "3"],
      { of: "clinic", loses: "response", times: "3" },
    ],
    [["clock", "--of", "clinic", "--skew", "-20m"], { of: "clinic", skew: "-20m" }],
    [["pause", "--of", "10% of clinic", "--for", "5m"], { of: "10% of clinic", for: "5m" }],
    [["note", "--text", "[the] storm"], { text: "[the] storm" }],
    [["sms-service", "--of", "clinic", "--state", "limit"], { of: "clinic", state: "limit" }],
  ])("%j", async (argv, body) => {
    const { code, asked } = await act(argv);
    expect(code).toBe(0);
    expect(asked.map((one) => [one.what, one.body])).toEqual([[`POST /lab/do/${argv[0]}`, body]]);
  });

  it.each(handReference().map((verb) => [verb.name, verb] as const))(
    "%s: its help has each argument and an example that works",
    async (name, verb) => {
      const { code, stdout } = await handset(["do", name, "--help"], { columns: 200 });
      expect(code).toBe(0);
      for (const { name: argument, about } of verb.arguments) {
        expect(stdout).toContain(`--${argument} `);
        expect(stdout).toContain(about.replace(/\.$/, ""));
      }
      const example = stdout.split("\n").findLast((line) => line.includes(`handset do ${name} --`)) ?? "";
      const { stdout: words } = spawnSync(
        "sh",
        ["-c", `printf '%s\\n' ${example.trim().slice("handset do ".length)}`],
        { encoding: "utf8" },
      );
      const { code: exitCode, asked } = await act(words.trimEnd().split("\n"));
      expect(exitCode).toBe(0);
      const { cast } = sound(base().replace("count: 10,", "count: 40,"));
      expect(readHand(name, asked[0]?.body, cast).input).toEqual(readHand(name, verb.example, cast).input);
    },
  );

  it("lists what can be done, and guesses what was meant", async () => {
    const { code, stdout } = await handset(["do", "--help"]);
    expect(code).toBe(0);
    for (const { name } of handReference()) expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
    for (const name of ["alarm", "log-call", "url", "throttle", "snapshot", "load", "resthook"])
      expect(stdout).toContain(`  ${name} `);
    expect((await handset(["do", "txt"])).stderr).toContain("Did you mean text?");
    expect((await handset(["do", "text", "--form", "x"])).stderr).toContain("Did you mean --from?");
    expect((await handset(["do"])).code).toBe(2);
  });
});

describe("handset do, on the lab itself", () => {
  const clock = { now: "2026-03-04T07:05:00.000Z", speed: 60, paused: true };

  it.each<[argv: string[], what: string, body: unknown, answer?: object, stdout?: string]>([
    [["clock"], "GET /lab/clock", "", clock, `${clock.now}  paused, speed 60x`],
    [["clock", "--pause"], "POST /lab/clock", { paused: true }, clock],
    [
      ["clock", "--resume", "--speed", "60x"],
      "POST /lab/clock",
      { paused: false, speed: 60 },
      { ...clock, paused: false },
      `${clock.now}  running, speed 60x`,
    ],
    [["clock", "--speed", "0.5"], "POST /lab/clock", { speed: 0.5 }, clock],
    [["clock", "--pause", "--step", "1h30m"], "POST /lab/clock", { paused: true, step: "5400000ms" }, clock],
    [["alarm", "--of", "clinic/0"], "POST /lab/alarms", { of: "clinic/0" }],
    [
      ["log-call", "--of", "clinic/0", "--from", "+250781100000", "--type", "mo_call", "--duration", "3m"],
      "POST /lab/calls",
      { of: "clinic/0", phone: "+250781100000", type: "mo_call", duration: 180 },
    ],
    [
      ["log-call", "--of", "clinic/0", "--from", "3636", "--duration", "0"],
      "POST /lab/calls",
      { of: "clinic/0", phone: "3636", type: "mo_miss", duration: 0 },
    ],
    [
      ["url", "--of", "clinic", "--url", "http://127.0.0.1:9/x?a=b"],
      "POST /lab/delivery-url",
      { of: "clinic", url: "http://127.0.0.1:9/x?a=b" },
    ],
    [["url", "--of", "clinic", "--url", "none"], "POST /lab/delivery-url", { of: "clinic", url: null }],
    [
      ["resthook", "--resthook", "new-report", "--data", "{ name: Ada, age: 36 }"],
      "POST /lab/resthooks",
      { resthook: "new-report", data: { name: "Ada", age: 36 } },
    ],
    [["throttle"], "GET /lab/throttle", "", { limit: null, refusing: 0 }, "no limit"],
    [
      ["throttle", "--refuse", "2", "--retry-after", "90s"],
      "POST /lab/throttle",
      { refuse: 2, retry_after: 90 },
      { limit: 2500, refusing: 2 },
      "2500 requests an hour and scope; the next 2 are refused",
    ],
    [["throttle", "--limit", "none"], "POST /lab/throttle", { limit: null }, { limit: null, refusing: 0 }],
    [["snapshot", "--save", "before"], "POST /lab/snapshots", { save: "before" }],
    [["snapshot", "--restore", "start"], "POST /lab/snapshots", { restore: "start" }],
    [["snapshot"], "GET /lab/snapshots", "", [{ name: "start", taken_at: clock.now, bytes: 1 }], `${clock.now}  start`],
  ])("%j", async (argv, what, body, answer = done, stdout?) => {
    const ended = await act(argv, answer);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(ended.asked.map((one) => [one.what, one.body])).toEqual([[what, body]]);
    if (stdout !== undefined) expect(ended.stdout).toBe(`${stdout}  (lab ${ended.url})\n`);
  });

  it("loads an account file as it is, and says what could not be taken", async () => {
    const file = join(temporaryFolder(), "account.yaml");
    writeFileSync(file, "contacts:\n  - name: Zoë\n");
    const { code, stdout, stderr, asked, url } = await act(["load", "--file", file], {
      added: { contacts: 1, groups: 2 },
      problems: ["account:2: something"],
    });
    expect(asked).toMatchObject([
      { what: "POST /lab/account", type: "application/yaml", body: "contacts:\n  - name: Zoë\n" },
    ]);
    expect([code, stdout, stderr]).toEqual([
      1,
      `added: contacts 1, groups 2  (lab ${url})\n`,
      "handset: account:2: something\n",
    ]);
  });

  it("prints an answer that it does not know as it is", async () => {
    const { stdout, url } = await act(["alarm", "--of", "clinic"], { strange: true });
    expect(stdout).toBe(`{"strange":true,"lab":"${url}"}\n`);
  });

  it.each<[argv: string[], stderr: string]>([
    [["clock", "--pause", "--resume"], "--pause and --resume cannot both be"],
    [["clock", "--pause", "--of", "clinic", "--skew", "1m"], "in two commands"],
    [["clock", "--skew", "1m"], "'handset do clock' needs --of"],
    [["clock", "--step", "10"], "it must be a duration"],
    [["clock", "--speed", "20000x"], "at most 10000x"],
    [["log-call", "--of", "clinic", "--from", "1", "--type", "mo_sms"], "Allowed choices are mo_miss"],
    [["snapshot", "--save", "a", "--restore", "b"], "cannot be used with"],
    [["text", "--from", "a", "--to", "b"], "'handset do text' needs --body"],
    [["text", "--from", "a", "--to", "b", "--body", "[a"], "--body cannot be read: not well-formed YAML"],
    [["resthook", "--resthook", "x", "--data", "12"], "--data must be a map"],
    [["load", "--file", "/nowhere.yaml"], "there is no file /nowhere.yaml"],
  ])("%j is wrong usage, and nothing is asked", async (argv, stderr) => {
    const ended = await act(argv);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(stderr);
    expect(ended.asked).toEqual([]);
  });
});

describe("what a lab has against it", () => {
  const argv = ["reboot", "--of", "clinik"];

  it.each<[what: string, answer: (response: ServerResponse) => void, code: number, stderr: string]>([
    ["a detail", refusal(409, { detail: "This run is not paced." }), 2, "handset: This run is not paced.\n"],
    [
      "an argument",
      refusal(400, { of: ["'of' names no group of handsets: 'clinik' (did you mean 'clinic'?)"] }),
      2,
      "handset: 'of' names no group of handsets: 'clinik' (did you mean 'clinic'?)\n",
    ],
    [
      "several",
      refusal(400, { of: ["is wrong", "and again"], down: ["too long"] }),
      2,
      "handset: of: is wrong\n  of: and again\n  down: too long\n",
    ],
    ["the token", refusal(403, { detail: "Invalid token" }), 2, "refuses this token"],
    ["its own defect", refusal(500, { detail: "oh" }), 3, "does not answer like a lab: 500 at POST /lab/do/reboot"],
    ["a page", refusal(404, "<html>not found</html>"), 3, "does not answer like a lab: 404"],
    ["success that is none", refusal(200, "hello"), 3, "does not answer like a lab: 200"],
    ["a connection that breaks", (response) => void response.destroy(), 3, "cannot be reached (ECONNRESET)"],
  ])("gets the reason: %s", async (_, answer, code, stderr) => {
    const ended = await act(argv, answer);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(stderr);
    expect(ended.stdout).toBe("");
    // A refusal is an answer: it says of which lab, too.
    expect(ended.stderr).toContain(ended.url);
  });
});

describe("which lab is meant", () => {
  const argv = ["do", "reboot", "--of", "clinic"];

  it("none is served: that is said, with how to begin", async () => {
    const { code, stderr } = await handset(argv);
    expect(code).toBe(3);
    expect(stderr).toContain("no lab is served on this machine");
    expect(stderr).toContain("handset serve");
  });

  it("none of several: they are listed, and one must be named", async () => {
    const [clinic, farm] = [await labThat(), await labThat()];
    announceRunning({ url: clinic.url, token: "of clinic", name: "Clinic day" });
    announceRunning({ url: farm.url, token: "of farm", name: "Farm day" });
    const { code, stdout, stderr } = await handset(argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("handset: 2 labs are served on this machine: name one with --lab URL\n");
    const lines = stderr.trimEnd().split("\n").slice(1).toSorted();
    const since = String.raw`since \d{4}-\d\d-\d\dT[\d:.]+Z, process ${process.pid}`;
    const expected = [`${clinic.url}  Clinic day`, `${farm.url}  Farm day`].toSorted();
    expect(lines).toEqual(expected.map((line) => expect.stringMatching(new RegExp(`^  ${line}, ${since}$`)) as string));
    expect([...clinic.asked, ...farm.asked]).toEqual([]);

    const named = await handset([...argv, "--lab", clinic.url.replace("127.0.0.1", "localhost")]);
    expect([named.code, named.stderr]).toEqual([0, ""]);
    vi.stubEnv("HANDSET_LAB", farm.url);
    expect((await handset(argv)).stdout).toContain(`(lab ${farm.url})`);
    expect(clinic.asked.map(({ token }) => token)).toEqual(["Token of clinic"]);
    expect(farm.asked.map(({ token }) => token)).toEqual(["Token of farm"]);
  });

  it("the one that is named by option or variable, with a token from there too", async () => {
    const { url, asked } = await labThat();
    await handset([...argv, "--lab", url, "--token", "a"]);
    await handset([...argv, "--lab", url.slice("http://".length), "--token", "b"]);
    vi.stubEnv("HANDSET_LAB", url);
    vi.stubEnv("HANDSET_LAB_TOKEN", "c");
    await handset(argv);
    await handset([...argv, "--token", "d"]);
    expect(asked.map(({ token }) => token)).toEqual(["Token a", "Token b", "Token c", "Token d"]);
    vi.stubEnv("HANDSET_LAB", "");
    expect((await handset(argv)).stderr).toContain("no lab is served on this machine");
  });

  const commands: readonly string[][] = [
    ...handReference().map(({ name }) => [name]),
    ...["alarm", "log-call", "url", "resthook", "throttle", "snapshot", "load", "jump", "scenario"].map((name) => [
      name,
    ]),
  ];

  it.each(commands)("%s takes the options of the lab before and after its name", async (name) => {
    const { url, asked } = await labThat();
    const { port } = new URL(url);
    const options = [
      ["--port", port, "--token", "a", "--json"],
      ["-p", port, "--token", "a", "--json"],
      ["--lab", url, "--token", "a", "--json"],
      [`--lab=${url}`, "--token=a", "--json"],
    ];
    const { example } = handReference().find((verb) => verb.name === name) ?? { example: {} };
    const file = join(temporaryFolder(), "account.yaml");
    writeFileSync(file, "account: {}\n");
    const given: Readonly<Record<string, string[]>> = {
      alarm: ["--of", "clinic/0"],
      "log-call": ["--of", "clinic/0", "--from", "3636"],
      url: ["--of", "clinic/0", "--url", "none"],
      resthook: ["--resthook", "x", "--data", "{ a: 1 }"],
      load: ["--file", file],
    };
    const args =
      given[name] ??
      Object.entries(example as Readonly<Record<string, unknown>>).flatMap(([argument, value]) =>
        value === true
          ? [`--${argument}`]
          : [`--${argument}`, typeof value === "string" ? value : JSON.stringify(value)],
      );
    for (const some of options) {
      for (const argv of [
        [...some, name, ...args],
        [name, ...some, ...args],
        [name, ...args, ...some],
        [...some.slice(0, -1), name, ...args, "--json"],
      ]) {
        const { code, stdout, stderr } = await handset(["do", ...argv]);
        expect([argv, code, stderr.replace(/^handset: answered by.*\n/, "")]).toEqual([argv, 0, ""]);
        expect(stdout).toContain(JSON.stringify(url));
      }
    }
    expect(new Set(asked.map(({ token }) => token))).toEqual(new Set(["Token a"]));
    expect(asked).toHaveLength(4 * options.length);
  });

  it("an option counts where it stands, and overrides the environment", async () => {
    const { url } = await labThat();
    const { port } = new URL(url);
    vi.stubEnv("HANDSET_LAB", "http://127.0.0.1:1");
    vi.stubEnv("HANDSET_LAB_TOKEN", "c");
    for (const some of [
      ["--port", port],
      ["--lab", url],
    ]) {
      expect((await handset(["do", ...some, "reboot", "--of", "clinic"])).stdout).toContain(`(lab ${url})`);
      expect((await handset([...argv, ...some])).stdout).toContain(`(lab ${url})`);
    }
    expect((await handset(["do", "-p", port, "reboot", "-p", port, "--of", "x"])).code).toBe(0);
  });

  it.each<[argv: string[], stderr: string]>([
    [["--port", "1", "reboot", "--port", "2"], "--port is given twice, before and after 'reboot'"],
    [["--port", "1", "reboot", "--lab", "http://x"], "--port and --lab both name the lab: give one of them"],
    [["reboot", "--lab", "http://x", "--port", "1"], "--port and --lab both name the lab: give one of them"],
    [["--port", "x", "reboot"], "it must be a whole number, got 'x'"],
    [["reboot", "--port", "65536"], "it must be a port 0..65535, got 65536"],
    [["--of", "clinic", "reboot"], "--of belongs after its verb: handset do VERB --of …"],
    [["--skew", "2m", "clock"], "--skew belongs after its verb: handset do clock --skew …"],
    [["--prot", "1", "reboot"], "Did you mean --port?"],
    [["--port", "1", "rebot"], "Did you mean reboot?"],
  ])("%j is wrong usage", async (wrong, stderr) => {
    const ended = await handset(["do", ...wrong]);
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(stderr);
  });

  it("below the path of a proxy, by any address of it", async () => {
    const { url, asked } = await labThat();
    for (const path of ["/handset", "/handset/", "/handset/console/#token=x", "/handset/lab/", "/handset/api/v2/x"]) {
      const { stdout } = await handset([...argv, "--lab", url + path, "--token", "a"]);
      expect(stdout).toContain(`(lab ${url}/handset)`);
    }
    expect(new Set(asked.map(({ what }) => what))).toEqual(new Set(["POST /handset/lab/do/reboot"]));
  });

  it("never gives one lab's token to another", async () => {
    const { url, asked } = await labThat();
    announceRunning({ url: "http://127.0.0.1:1", token: "secret" });
    const { code, stderr } = await handset([...argv, "--lab", url]);
    expect(code).toBe(2);
    expect(stderr).toContain("--token");
    expect(asked).toEqual([]);
    expect((await handset([...argv, "--lab", "ftp://x"])).stderr).toContain("is not the address of a lab");
  });

  it("one that is gone: the message names its file", async () => {
    announceRunning({ url: "http://127.0.0.1:1", token: "x" });
    const { code, stderr } = await handset(argv);
    expect(code).toBe(3);
    expect(stderr).toContain("the lab at http://127.0.0.1:1 cannot be reached (ECONNREFUSED)");
    expect(stderr).toContain(join(folder, "handset-lab"));
  });
});

describe("the files of running labs", () => {
  it("are this user's alone, and go with the server", () => {
    const withdraw = announceRunning({ url: "http://127.0.0.1:8000/", token: "x" });
    const place = runningFolder();
    expect(statSync(place).mode & 0o777).toBe(0o700);
    const [file = ""] = readdirSync(place);
    expect(statSync(join(place, file)).mode & 0o777).toBe(0o600);
    expect(runningLabs()).toMatchObject([{ url: "http://127.0.0.1:8000", token: "x", pid: process.pid }]);
    withdraw();
    withdraw();
    expect(readdirSync(place)).toEqual([]);
    expect(runningLabs()).toEqual([]);
  });

  it("of dead processes are ignored and removed, also where another has got the number since", () => {
    announceRunning({ url: "http://127.0.0.1:8000", token: "x" });
    const place = runningFolder();
    const { pid } = spawnSync("true");
    const write = (name: string, value: object | string): string => {
      const file = join(place, name);
      writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
      return file;
    };
    const startedAt = new Date().toISOString();
    const dead = write("dead.json", { url: "http://127.0.0.1:1", token: "x", pid, startedAt });
    const before = { url: "http://127.0.0.1:2", token: "x", pid: process.pid, startedAt: "2001-01-01T00:00:00Z" };
    const older = write("older.json", before);
    const other = write("other.json", "{ not JSON");
    write("strange.json", { url: 1 });
    expect(runningLabs().map(({ url }) => url)).toEqual(["http://127.0.0.1:8000"]);
    expect([dead, older, other].map((file) => existsSync(file))).toEqual([false, false, true]);
  });

  it("are not believed where others may write", () => {
    announceRunning({ url: "http://127.0.0.1:8000", token: "x" });
    const place = runningFolder();
    chmodSync(place, 0o777);
    expect(runningLabs()).toEqual([]);
    expect(() => announceRunning({ url: "http://127.0.0.1:8000", token: "x" })).toThrow("others may write there");
    chmodSync(place, 0o700);
    const link = join(temporaryFolder(), "link");
    symlinkSync(place, link);
    expect(runningLabs(link)).toEqual([]);
    expect(runningLabs(place)).toHaveLength(1);
  });
});
