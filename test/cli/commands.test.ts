import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { receiverThat, smallDay } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { freePort } from "../support/server.js";
import { handset } from "./terminal.js";

/** A scenario in a folder that is gone after the test. */
function fileWith(text: string, name = "day.yaml"): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

describe("handset run", () => {
  it("prints the result as one JSON object and nothing else on stdout", async () => {
    const file = fileWith(smallDay);
    const recording = join(temporaryFolder(), "run.db");
    const { code, stdout } = await handset(["run", file, "--json", "--receiver", "none", "--recording", recording]);
    expect(code).toBe(0);
    const result = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(result)).toEqual(
      expect.arrayContaining(
        "name seed digest virtualMs wallMs events attempts replies latencyMs ledger lost queued alarms expectations recording problems".split(
          " ",
        ),
      ),
    );
    expect(result).toMatchObject({ name: "Small day", seed: 7, virtualMs: 7_200_000, lost: 0, recording });
    expect(existsSync(recording)).toBe(true);
  });

  it("prints a summary no wider than the terminal, and what to try next", async () => {
    const { code, stdout } = await handset([
      "run",
      fileWith(smallDay),
      "--recording",
      join(temporaryFolder(), "run.db"),
    ]);
    expect(code).toBe(0);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).toContain("Small day");
    expect(stdout).toContain("handset events");
  });

  it("names the receivers of groups that have their own, and hints at -r only where it would change something", async () => {
    const [shared, own] = [
      await receiverThat((_, answer) => answer.end("{}")),
      await receiverThat((_, answer) => answer.end("{}")),
    ];
    const run = async (groups: string, ...rest: string[]): ReturnType<typeof handset> => {
      const file = fileWith(
        `lasts: 5m\nhandsets:\n${groups}people: { farmers: { count: 1, of: ${/\w+/.exec(groups)?.[0]}, phone: "+250781100001" } }\n`,
      );
      return handset(["run", file, "--recording", join(temporaryFolder(), "run.db"), "--no-report", ...rest], {
        columns: 200,
      });
    };
    const clinic = '  clinic: { count: 1, phone: "+250788000001" }\n';
    const school = `  school: { count: 1, phone: "+250788000002", receiver: "${own.url}" }\n`;
    const [sharedName, ownName] = [shared, own].map(({ url }) => url.replace("?key=secret", "?…"));
    const hint = "-r http://127.0.0.1:8080/";
    const plain = await run(clinic);
    expect(plain.stderr).toMatch(/ against the bundled receiver\n/);
    expect(plain.stdout).toContain(hint);
    expect(plain.stdout).not.toContain("handset reconcile");
    const both = await run(clinic + school);
    expect(both.stderr).toContain(`against the bundled receiver and ${ownName}\n`);
    expect(both.stdout).toContain(hint);
    expect(both.stdout).toMatch(/npx handset reconcile \S+run\.db your-table\.csv/);
    const only = await run(school);
    expect(only.stderr).toContain(`against ${ownName}\n`);
    expect(only.stdout).not.toContain(hint);
    const named = await run(clinic + school, "-r", shared.url);
    expect(named.stderr).toContain(`against ${sharedName} and ${ownName}\n`);
    expect(named.stdout).not.toContain(hint);
    expect(named.stdout).toMatch(/npx handset reconcile \S+run\.db your-table\.csv/);
  });

  it("prints nothing with --quiet", async () => {
    const { code, stdout, stderr } = await handset(["run", fileWith(smallDay), "-q", "--recording", ":memory:"]);
    expect([code, stdout, stderr]).toEqual([0, "", ""]);
  });

  it("says in one line with --quiet why there was no run, and shows no secret of the address", async () => {
    const address = `//ann:word@127.0.0.1:${await freePort()}/events`;
    const argv = ["run", fileWith(smallDay), "--set", "lasts=10m", "--set", "story=[]", "--recording", ":memory:"];
    argv.push("-r", `http:${address}?key=secret`);
    const shown = `http:${address.replace("ann:word", "…")}?…`;
    const quiet = await handset([...argv, "-q"]);
    expect([quiet.code, quiet.stdout]).toEqual([3, ""]);
    expect(quiet.stderr).toBe(`handset: no attempt ever got a connection: is the receiver at ${shown} up?\n`);
    const loud = await handset(argv, { columns: 200 });
    expect(loud.stderr).toContain(`Playing Small day against ${shown}\n`);
    expect(loud.stdout).toContain(shown);
    expect(loud.stdout + loud.stderr).not.toMatch(/ann|word|secret/);
  });

  it.each([
    [
      ["--expect", "ledger.gap == 0", "--expect", "it's.p99 < 5ms"],
      "--expect:2:1: error[unknown-metric]",
      "  2 | it's.p99 < 5ms\n",
    ],
    [["--set", "seed=4", "--expect", "lost =="], "--expect:1:1: error[bad-expectation]", "    | ^^^^^^^ write lost =="],
    [["--lookahead", "5q"], "--lookahead:1:1: error[wrong-unit]", "    | ^^ the units are"],
    [["--expect", "ledger.gap == 0", "--set", "seed=x"], "--set:1:6: error[bad-value]", "  1 | seed=x\n"],
  ])("tells what is wrong with %j in the option's own name", async (flags, place, shown) => {
    const { code, stderr } = await handset(["run", fileWith(smallDay), ...flags]);
    expect(code).toBe(2);
    expect(stderr.split("\n")[0]).toContain(place);
    expect(stderr).toContain(shown);
  });

  it("takes a seed, values and a lookahead from the command line", async () => {
    const run = async (...flags: string[]): Promise<Record<string, unknown>> => {
      const argv = ["run", fileWith(smallDay), "--json", "--receiver", "none", "--recording", ":memory:", ...flags];
      return JSON.parse((await handset(argv)).stdout) as Record<string, unknown>;
    };
    const plain = await run();
    expect((await run("--seed", "8"))["digest"]).toBe((await run("--set", "seed=8"))["digest"]);
    expect((await run("--seed", "8"))["digest"]).not.toBe(plain["digest"]);
    expect((await run("--set", "lasts=1h"))["virtualMs"]).toBe(3_600_000);
    expect((await run("--lookahead", "7s"))["digest"]).toBe(plain["digest"]);
  });

  it("starts the receiver that is named after --, waits for it, and ends it", async () => {
    const folder = temporaryFolder();
    const script = join(folder, "receiver.mjs");
    writeFileSync(
      script,
      `import { createServer } from "node:http"; import { appendFileSync } from "node:fs";
       setTimeout(() => createServer((q, r) => { q.resume(); appendFileSync("${folder}/log", "x"); r.end(); }).listen(Number(process.argv[2]), "127.0.0.1"), 200);
       process.on("SIGTERM", () => { appendFileSync("${folder}/log", "T"); process.exit(0); });`,
    );
    const port = String(await freePort());
    const { code, stdout } = await handset([
      "run",
      fileWith(smallDay),
      "--json",
      "--recording",
      ":memory:",
      "--receiver",
      `http://127.0.0.1:${port}/`,
      "--",
      process.execPath,
      script,
      port,
    ]);
    expect(code).toBe(0);
    const { attempts } = JSON.parse(stdout) as { attempts: { accepted: number } };
    const log = readFileSync(join(folder, "log"), "utf8");
    expect(log).toBe(`${"x".repeat(attempts.accepted)}T`);
  });

  it("ends when the receiver's command ends in the middle of the run, and says so", async () => {
    const script = join(temporaryFolder(), "dies.mjs");
    writeFileSync(
      script,
      `import { createServer } from "node:http"; let count = 0;
       createServer((q, r) => { q.resume(); r.end(); if (++count === 20) setTimeout(() => process.exit(5), 5); }).listen(Number(process.argv[2]), "127.0.0.1");`,
    );
    const port = String(await freePort());
    const argv = ["run", fileWith(smallDay), "--json", "--recording", ":memory:", "-r", `http://127.0.0.1:${port}/`];
    const { code, stdout } = await handset([...argv, "--", process.execPath, script, port]);
    expect(code).toBe(1);
    const { problems, lost } = JSON.parse(stdout) as { problems: string[]; lost: number };
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^The receiver died at .*exit code 5/);
    expect(lost).toBe(0);
  });

  it("ends at once when the command that is the receiver does", async () => {
    // Waiting on would exceed the timeout of the test.
    const wait = ["--wait", "10m"];
    const argv = ["run", fileWith(smallDay), "-r", "http://127.0.0.1:9/", "--recording", ":memory:", ...wait];
    const { code, stderr } = await handset([...argv, "--", process.execPath, "-e", "process.exit(4)"]);
    expect(code).toBe(3);
    expect(stderr).toContain("ended by itself (exit 4)");
  });

  it.each([
    ["no such file", ["run", "nowhere.yaml"], 2, "there is no file nowhere.yaml"],
    ["no file at all", ["run"], 2, "which scenario?"],
    ["a misspelt option", ["run", "x.yaml", "--recieving"], 2, "unknown option '--recieving'"],
    ["a misspelt command", ["rum"], 2, "Did you mean run?"],
    ["a bad pace", ["run", "x.yaml", "--pace", "fast"], 2, "it must be lockstep, max, or a speed such as 1x or 60x"],
    [
      "metrics of several processes",
      ["run", "scenarios/lost-answers.yaml", "--processes", "2", "--metrics", "0"],
      2,
      "--metrics does not work with --processes",
    ],
    ["a bad duration", ["run", "x.yaml", "--wait", "30"], 2, "it must be a duration such as 500ms, 90s or 1h30m"],
  ])("says what is wrong with %s", async (_, argv, exitCode, message) => {
    const { code, stderr, stdout } = await handset(argv);
    expect(stderr).toContain(message);
    expect(stdout).toBe("");
    expect(code).toBe(exitCode);
  });

  it("refuses to send load to another host that is not allowed by name", async () => {
    const { code, stderr } = await handset(["run", fileWith(smallDay), "--receiver", "http://example.test/events"]);
    expect(code).toBe(2);
    expect(stderr).toContain("example.test is not this machine");
    expect(stderr).toContain("--allow-host example.test");
  });

  it("keeps a recording that is already there", async () => {
    const file = fileWith(smallDay);
    const recording = join(temporaryFolder(), "run.db");
    const argv = ["run", file, "-q", "--receiver", "none", "--recording", recording];
    expect((await handset(argv)).code).toBe(0);
    const before = readFileSync(recording);
    const second = await handset(argv);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(recording);
    expect(readFileSync(recording).equals(before)).toBe(true);
    expect((await handset([...argv, "--overwrite"])).code).toBe(0);
  });

  it("says that nothing listens after it waited for a receiver", async () => {
    const { code, stderr, stdout } = await handset([
      "run",
      fileWith(smallDay),
      "--receiver",
      "http://127.0.0.1:9/",
      "--wait",
      "100ms",
      "--json",
    ]);
    expect(code).toBe(3);
    expect(stderr).toContain("nothing listens at 127.0.0.1:9");
    expect(JSON.parse(stdout)).toMatchObject({ name: "Small day", recording: null, lost: 0 });
  });

  it("prints diagnostics for a broken scenario and plays nothing", async () => {
    const recording = join(temporaryFolder(), "run.db");
    const file = fileWith(smallDay.replace("lasts: 2h", "lasts: 2 hours"));
    const { code, stderr } = await handset(["run", file, "--recording", recording]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}:5:8: error`);
    expect(existsSync(recording)).toBe(false);
  });
});

describe("handset check", () => {
  it("says in one line what a sound scenario has, and what is wrong with another", async () => {
    const sound = fileWith(smallDay);
    const broken = fileWith(smallDay.replace("traffic:", "trafic:"));
    expect(await handset(["check", sound])).toEqual({
      code: 0,
      stdout: `${sound}: ok: 4 handsets, 40 people, 1 story step, 0 expectations, lasts 02:00:00\n`,
      stderr: "",
    });
    const { code, stderr } = await handset(["check", sound, broken]);
    expect(code).toBe(2);
    expect(stderr).toContain("did you mean 'traffic'?");
  });

  it("looks at fakes too, and so does run before it plays", async () => {
    const file = fileWith(`lasts: 1h
handsets: { clinic: { phone: "+250788000001" } }
people: { farmer: { phone: "+250781111111", name: { fake: person.firstNam } } }
story:
  - { at: 5m, text: { from: farmers, to: clinic, body: hi } }
`);
    for (const command of [["check"], ["run", "--recording", ":memory:"]]) {
      const { code, stderr } = await handset([...command, file]);
      expect(code).toBe(2);
      expect(stderr).toContain(":3:59: error[unknown-fake]: faker has no method 'person.firstNam'");
      expect(stderr).toContain("did you mean 'person.firstName'?");
      expect(stderr).toContain(":5:29: error[unknown-group]");
    }
  });
});

describe("handset check of accounts", () => {
  it("says what an account file and an export have", async () => {
    const ready = "scenarios/accounts/ready.yaml";
    const account = await handset(["check", ready, "scenarios/ready.yaml"]);
    expect(account).toMatchObject({ code: 0, stderr: "" });
    expect(account.stdout).toContain(
      `${ready}: ok: 31 contacts, 5 groups, 7 fields, 2 flows, 1 campaign, 3 triggers\n`,
    );
    expect(account.stdout).toContain("2 handsets, 30 people");
    expect(account.stdout).not.toContain("note:");
    const exported = await handset(["check", "scenarios/accounts/stock-check.json"]);
    expect(exported.stdout).toContain("ok: 0 contacts, 0 groups, 1 field, 1 flow, 0 campaigns, 0 triggers");
  });

  it("notes what of their flows does not run, and nothing is wrong with them", async () => {
    const node = (uuid: string, type: string): unknown => ({
      uuid,
      actions: [{ uuid: `${uuid}-action`, type }],
      exits: [{ uuid: `${uuid}-exit` }],
    });
    const flow = (name: string, more: object): unknown => ({ uuid: name, name, spec_version: "13.1.0", ...more });
    const file = join(temporaryFolder(), "export.json");
    const flows = [
      flow("Ask", { type: "messaging", nodes: [node("n1", "call_llm"), node("n2", "request_optin")] }),
      flow("Ring", { type: "voice", nodes: [] }),
    ];
    writeFileSync(file, JSON.stringify({ version: "13", flows }));
    const { code, stdout } = await handset(["check", file]);
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(1, 5)).toEqual([
      "  note: flow 'Ask', node n1: action call_llm is skipped with an error",
      "  note: flow 'Ask', node n2: action request_optin is skipped with an error",
      "  note: flow 'Ring' does not run: handsets do not run voice flows",
      "",
    ]);
  });

  it("notes what their flows refer to and none of them has", async () => {
    const folder = temporaryFolder();
    const lists = (name: string, content: unknown): string => {
      const file = join(folder, name);
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
      return file;
    };
    const sub = { uuid: "7e570000-0000-4000-8000-000000000001", name: "Sub" };
    const node = {
      uuid: "7e570000-0000-4000-8000-000000000002",
      actions: [{ uuid: "7e570000-0000-4000-8000-000000000003", type: "enter_flow", flow: sub }],
      exits: [{ uuid: "7e570000-0000-4000-8000-000000000004" }],
    };
    const flow = (more: object): object => ({ spec_version: "13.1.0", type: "messaging", nodes: [], ...more });
    const main = flow({ uuid: "7e570000-0000-4000-8000-000000000005", name: "Main", nodes: [node] });
    const broken = lists("main.json", { version: "13", flows: [main] });
    const complete = lists("sub.json", { version: "13", flows: [flow(sub)] });
    const scenario = lists("day.yaml", "lasts: 1h\ndata: main.json\nhandsets: { desk: { phone: '+250788000001' } }\n");
    for (const file of [broken, scenario]) {
      const { code, stdout } = await handset(["check", file]);
      expect(code).toBe(0);
      expect(stdout).toContain(`${file}: ok, but 1 missing: `);
      expect(stdout).toContain(
        "  note: 1 flow is missing: entering it fails the run, and nobody is started in it; add",
      );
      expect(stdout).toContain(`    'Sub' (${sub.uuid}): flow 'Main', node ${node.uuid}: enter_flow\n`);
    }
    writeFileSync(scenario, "lasts: 1h\ndata: [main.json, sub.json]\nhandsets: { desk: { phone: '+250788000001' } }\n");
    for (const files of [[broken, complete], [scenario]]) {
      const { code, stdout } = await handset(["check", ...files]);
      expect(code).toBe(0);
      expect(stdout).not.toContain("note:");
    }
    // The existing account may have it.
    const addition = lists("add.yaml", `account: existing\nflows: [{ definition: ${JSON.stringify(main)} }]\n`);
    const { stdout } = await handset(["check", addition]);
    expect(stdout).toContain(`${addition}: ok: `);
    expect(stdout).toContain("  note: needs 1 flow, else entering it fails the run");
  });

  it("notes nothing of what the package has", async () => {
    const folders = ["scenarios", "scenarios/accounts", "scenarios/flows"];
    const files = folders.flatMap((folder) =>
      readdirSync(folder).flatMap((name) => (/\.(yaml|json)$/.test(name) ? [join(folder, name)] : [])),
    );
    const { code, stdout } = await handset(["check", ...files]);
    expect(code).toBe(0);
    expect(stdout).not.toContain("note:");
  });

  it("points at what is wrong with them", async () => {
    const broken = fileWith("account: {}\nflows: [nowhere.json]\npeople: [{ phone: '+250781111111', locale: xx }]\n");
    const { code, stderr } = await handset(["check", broken]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${broken}:2:9: error[bad-file]`);
    expect(stderr).toContain(`${broken}:3:44: error[unknown-fake]`);
  });
});

describe("handset events and report", () => {
  it("give back what was recorded", async () => {
    const recording = join(temporaryFolder(), "run.db");
    const receiver = await receiverThat((_, response) => response.end("{}"));
    const run = await handset([
      "run",
      fileWith(smallDay),
      "--json",
      "--receiver",
      receiver.url,
      "--recording",
      recording,
    ]);
    const events = (await handset(["events", recording])).stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events).toHaveLength(receiver.got.length);
    expect(events[0]).toMatchObject({
      at: expect.any(Number) as number,
      channel: expect.any(Number) as number,
      type: "mo_sms",
      body: expect.stringContaining("event=mo_sms&") as string,
      attempts: [{ status: 200, ms: expect.any(Number) as number, outcome: "accepted", answer: "{}" }],
    });
    expect((await handset(["report", recording, "--json"])).stdout).toBe(run.stdout);
    expect((await handset(["report", recording])).stdout).toContain("Small day");
  });

  it.each(["events", "report"])("%s says when there is no such recording", async (command) => {
    const { code, stderr } = await handset([command, "nowhere.db"]);
    expect(code).toBe(2);
    expect(stderr).toContain("nowhere.db");
  });
});

describe("handset new", () => {
  it("writes a scenario that checks and plays, and never over another file", async () => {
    const file = join(temporaryFolder(), "mine.yaml");
    expect((await handset(["new", file])).code).toBe(0);
    expect((await handset(["check", file])).code).toBe(0);
    expect((await handset(["run", file, "-q", "--recording", ":memory:"])).code).toBe(0);
    const second = await handset(["new", file]);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain("exists already");
  });
});

describe("handset post", () => {
  it("posts one event and shows the answer", async () => {
    const receiver = await receiverThat((_, response) => response.end('{"urn":["tel:+12065550142"],"text":"Thanks"}'));
    const { code, stdout } = await handset([
      "post",
      "mo_sms",
      "--receiver",
      receiver.url,
      "--phone",
      "+12065550142",
      "--text",
      "50% & more",
    ]);
    expect(code).toBe(0);
    expect(receiver.got).toHaveLength(1);
    const sent = new URLSearchParams(receiver.got[0]?.body);
    expect([sent.get("event"), sent.get("phone"), sent.get("text")]).toEqual(["mo_sms", "+12065550142", "50% & more"]);
    expect(stdout).toContain("accepted");
    expect(stdout).toContain("asks for a message to tel:+12065550142: Thanks");
  });

  it.each([
    ["power_restored", ["--field", "level=80"], "event=power_restored&relayer=1&relayer_phone=%2B12065550110&level=80"],
    ["mt_miss", ["--relayer", "31", "--id", "7"], "event=mt_miss&"],
    ["alarm", ["--field", "power_level=3"], "power_level=3"],
    ["flow", ["--spelling", "table"], "event=flow&relayer=1&"],
  ])("posts %s", async (type, flags, part) => {
    const receiver = await receiverThat((_, response) => response.end());
    expect((await handset(["post", type, "--receiver", receiver.url, ...flags])).code).toBe(0);
    expect(receiver.got[0]?.body).toContain(part);
  });

  it("tells a refusal from a silence", async () => {
    const refusing = await receiverThat((_, response) => response.writeHead(404).end());
    expect((await handset(["post", "mo_sms", "--receiver", refusing.url])).code).toBe(1);
    const dead = await handset(["post", "mo_sms", "--receiver", "http://127.0.0.1:9/"]);
    expect(dead.code).toBe(3);
    expect(dead.stdout).toContain("ECONNREFUSED");
    const elsewhere = await handset(["post", "mo_sms", "--receiver", "http://example.test/"]);
    expect(elsewhere.code).toBe(2);
  });
});

describe("handset receive", () => {
  it("takes events until Ctrl-C", async () => {
    let press: () => void = () => undefined;
    const ended = handset(["receive", "--port", "0", "--echo", "--json"], { interrupts: (one) => (press = one) });
    await new Promise((resolve) => setTimeout(resolve, 300));
    press();
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/Listening on http:\/\/127\.0\.0\.1:\d+/);
    expect(stderr).toContain("0 events received");
  });

  it.each([
    [["--answers", "sometimes"], "--answers takes ok, slow"],
    [["--fail", "twice"], "--fail takes statuses such as 500x2"],
    [["--fail-share", "2"], "--fail-share takes 0%..100%"],
  ])("says what is wrong with %j", async (flags, message) => {
    const { code, stderr } = await handset(["receive", "--port", "0", ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
