import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../support/folder.js";
import { serveTcp } from "../support/server.js";
import { until } from "../support/until.js";
import { command, ServedHere, ServerProcess } from "./server-process.js";
import { handset as inProcess } from "../cli/terminal.js";

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
async function run(file: string, args: readonly string[], session: string): Promise<Ended> {
  const child = spawn(file, args, { env: { ...process.env, XDG_RUNTIME_DIR: session, NO_COLOR: "1" } });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

const handset = (args: readonly string[], session: string): Promise<Ended> =>
  run(process.execPath, [command, ...args], session);

describe("handset serve", () => {
  it("says where it is, with what, and what to try; and that works as it is printed", async () => {
    const server = await ServerProcess.start([]);
    for (const row of ["REST API", "token", "events go to", "handsets", "database", "control API", "its token"]) {
      expect([row, server.row(row)]).toEqual([row, expect.stringMatching(/./)]);
    }
    expect(server.row("REST API")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v2\/$/);
    expect(server.row("events go to")).toBe("the bundled receiver");
    expect(server.row("handsets")).toBe("2, people 30");
    expect(server.stderr).toBe("");
    // Runs the printed command in a shell, where a function replaces curl and prints its arguments.
    const curl = /Try:\n((?:.*\\\n)*.*)\n/.exec(server.stdout)?.[1] ?? "";
    const said = await run("/bin/sh", ["-c", `curl() { printf '%s\\n' "$@"; }; ${curl.trim()}`], server.session);
    const [flag, header = "", url = ""] = said.stdout.split("\n");
    expect([said.code, flag]).toEqual([0, "-H"]);
    const [name = "", value = ""] = header.split(": ");
    const answer = await fetch(url, { headers: { [name]: value } });
    expect(((await answer.json()) as { results: unknown[] }).results).toHaveLength(30);
    const explorer = await fetch(/The explorer, with the token:\n +(\S+)/.exec(server.stdout)?.[1] ?? "");
    const home = await fetch(/The console:\n +(\S+#token=[\da-f]{40})\n/.exec(server.stdout)?.[1] ?? "");
    expect(await home.text()).toContain("<title>Handset Lab</title>");
    const isLink = (line: string): boolean => line.includes("#token=");
    expect(server.stdout.split("\n").every((line) => isLink(line) || line.length <= 80)).toBe(true);
    expect([explorer.status, explorer.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("text/html"),
    ]);
  });

  it("is found by handset do, and ended by Ctrl-C", async () => {
    const server = await ServerProcess.start(["--speed", "60x"]);
    const { session } = server;
    const done = await handset(
      ["do", "text", "--from", "people/3", "--to", "clinic/0", "--body", "from a shell"],
      session,
    );
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain("text is done");
    const hasCome = async (): Promise<boolean> =>
      (await server.api.all("messages.json?folder=incoming")).some(({ text }) => text === "from a shell");
    await until(hasCome, "the text is in the inbox");
    // The other commands run in this process: a new process costs a second of CPU time.
    vi.stubEnv("XDG_RUNTIME_DIR", session);
    onTestFinished(() => void vi.unstubAllEnvs());
    const clock = await inProcess(["do", "clock", "--pause"]);
    expect(clock.stdout).toContain("paused, speed 60x");
    const refused = await inProcess(["do", "text", "--from", "people/99", "--to", "clinic/0", "--body", "x"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("people");
    expect(await server.end("SIGINT")).toBe(0);
    expect(server.stderr).toContain("stopping");
    const gone = await inProcess(["do", "clock"]);
    expect(gone).toMatchObject({ code: 3, stdout: "" });
    expect(gone.stderr).toContain("handset serve");
  });

  it("keeps what its options name: database, tokens, roles", async () => {
    const database = join(temporaryFolder(), "account.db");
    const tokens = ["--token", "administrator-token", "--token", "surveyor=surveyor-token"];
    const first = await ServedHere.start(["--db", database, "--empty", ...tokens]);
    expect(first.row("token")).toBe("administrator-token");
    await first.api.done("POST", "labels.json", { name: "Kept" });
    expect(await first.end()).toBe(0);
    const second = await ServedHere.start(["--db", database], first.session);
    expect(second.row("token")).toBe("administrator-token");
    expect(second.stderr).toMatch(/^opening .*account\.db \([\d.]+ MiB\)…\n$/);
    expect((await second.api.all("labels.json")).map(({ name }) => name as string)).toEqual(["Kept"]);
    const surveyor = await second.api.ask("GET", "contacts.json", undefined, { authorization: "Token surveyor-token" });
    expect(surveyor.status).toBe(200);
    expect(
      (await second.api.ask("GET", "labels.json", undefined, { authorization: "Token surveyor-token" })).status,
    ).toBe(403);
    expect(second.row("database")).toBe(database);
  });

  it("serves people of several languages, strictly and throttled", async () => {
    const args = ["--people", "40", "--locale", "fr", "--locale", "ar", "--strict", "--throttle", "3", "--paused"];
    const server = await ServedHere.start(args);
    const { body } = await server.api.get("contacts.json");
    expect(body.results).toHaveLength(70);
    expect((await server.api.post("broadcasts.json", { text: "for nobody" })).status).toBe(400);
    await server.api.get("org.json");
    await server.api.get("org.json");
    expect((await server.api.get("org.json")).status).toBe(429);
    expect(await server.lab.done("GET", "/clock")).toMatchObject({ paused: true });
    expect(await server.lab.done("GET", "/")).toMatchObject({ strict: true });
  });

  it("prints the public URL wherever a client follows an address, and where it listens", async () => {
    const server = await ServedHere.start(["--public-url", "https://Lab.example/handset/", "--own-host", "Compose"]);
    expect(server.row("REST API")).toBe("https://lab.example/handset/api/v2/");
    expect(server.row("control API")).toBe("https://lab.example/handset/lab/");
    expect(server.stdout).toContain("The messaging service is at https://lab.example/handset  (Ctrl-C ends it)");
    expect(server.stdout).toMatch(/The console:\n {2}https:\/\/lab\.example\/handset\/console\/#token=/);
    expect(server.stdout).toMatch(/https:\/\/lab\.example\/handset\/api\/v2\/explorer\/#token=/);
    expect(server.stdout).toContain("    https://lab.example/handset/api/v2/contacts.json");
    const own = server.row("listens at");
    expect(own).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    // `handset do` finds it at its own address.
    expect((await inProcess(["do", "clock"])).stdout).toContain(`(lab ${own})`);
  });

  it("leaves flows out of a new account only", async () => {
    const database = join(temporaryFolder(), "account.db");
    const first = await ServedHere.start(["--no-flows", "--db", database]);
    expect(await first.api.all("flows.json")).toEqual([]);
    expect(await first.api.all("contacts.json")).toHaveLength(30);
    await first.end();
    const second = await ServedHere.start(["--no-flows", "--db", database], first.session);
    expect(second.stderr).toContain("account.db exists and is continued: --no-flows is for a new one");
    await second.end();
    const ended = await inProcess(["serve", "--port", "0", database, "--no-flows"]);
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain("--no-flows is for a new account");
  });

  it("says what is in its way, and ends with 3", async () => {
    const { port } = await serveTcp((socket) => socket.destroy());
    const ended = await inProcess(["serve", "--port", String(port)]);
    expect(ended).toMatchObject({ code: 3, stdout: "" });
    expect(ended.stderr).toContain(`cannot listen at 127.0.0.1:${port}`);
    expect(ended.stderr).toContain("--port");
  });

  it.each([
    [["nowhere.yaml"], "there is no file nowhere.yaml"],
    [["--receiver", "http://example.org/x"], "--allow-host example.org"],
    [["--token", "short"], "8 to 128 characters"],
    [["--starts", "yesterday"], "starts"],
    [["--data", "scenarios/ready.yaml"], "ready.yaml"],
    [["--people", "many"], "--people"],
    [["package.json"], "package.json"],
    [["--speed", "0x"], "speed"],
    [["--public-url", "lab.example"], "it must be an http or https URL such as https://lab.example, got 'lab.example'"],
    [["--public-url", "https://lab.example/lab"], "must not begin with /api, /console or /lab"],
    [["--own-host", "http://lab"], "the name of a host without scheme and port"],
  ])("refuses %j with 2 and a word about it", async (args, word) => {
    const ended = await inProcess(["serve", "--port", "0", ...args]);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, "", expect.stringContaining(word)]);
  });
});
