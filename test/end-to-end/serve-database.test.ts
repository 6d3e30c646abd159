import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { LabError, openRecording, serve, type ServeOptions, StoreError } from "../../src/index.js";
import { readCommittedPosition } from "../../src/lab/index.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { serveTcp } from "../support/server.js";
import { until } from "../support/until.js";
import { emptyScenario, readyScenario, type ServedLab, serving } from "./served.js";
import { command } from "./server-process.js";

/** The code of the error with which `serve` refuses these options. */
async function refusalOf(options: ServeOptions): Promise<string> {
  try {
    const served = await serve({ receiver: "none", ...options });
    await served.close();
    return "it was served";
  } catch (error) {
    if (error instanceof LabError || error instanceof StoreError) return error.code;
    throw error;
  }
}

/** Path of a database that was served and closed, in a folder of its own. */
async function servedBefore(): Promise<{ readonly folder: string; readonly database: string }> {
  const folder = temporaryFolder();
  const database = join(folder, "account.db");
  const { served } = await serving({ scenario: readyScenario(), database });
  await served.close();
  return { folder, database };
}

/** Every file below a folder, with a digest of its bytes. */
function filesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  return Object.fromEntries(files.map((path) => [path, digestOf(path)]));
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

describe("a start that fails", () => {
  it("at a busy port leaves no file behind, and an existing database as it was", async () => {
    const { port } = await serveTcp((socket) => socket.destroy());
    const { folder, database } = await servedBefore();
    const before = filesIn(folder);
    for (const taken of [{ port }, { metrics: { port } }]) {
      const empty = temporaryFolder();
      expect(await refusalOf({ scenario: emptyScenario(), database: join(empty, "new.db"), ...taken })).toBe(
        "port-taken",
      );
      expect(readdirSync(empty)).toEqual([]);
      expect(await refusalOf({ database, ...taken })).toBe("port-taken");
      expect(filesIn(folder)).toEqual(before);
    }
  });

  it("at an invalid account file leaves no file behind either", async () => {
    const folder = temporaryFolder();
    const accounts = [{ kind: "text", file: "mine.yaml", text: "contacts: 7" }] as const;
    const database = join(folder, "new.db");
    expect(await refusalOf({ scenario: emptyScenario(), database, accounts })).toBe("bad-account");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keeps the snapshots that were there before", async () => {
    const folder = temporaryFolder();
    const database = join(folder, "new.db");
    mkdirSync(`${database}.snapshots`);
    writeFileSync(`${database}.snapshots/mine.db`, "kept");
    const accounts = [{ kind: "text", file: "mine.yaml", text: "contacts: 7" }] as const;
    await refusalOf({ scenario: emptyScenario(), database, accounts });
    expect(readdirSync(folder, { recursive: true })).toEqual(["new.db.snapshots", join("new.db.snapshots", "mine.db")]);
  });
});

/** Serves a database in a process of its own, through a shell script that runs "$@". */
function serveThrough(
  script: string,
  words: readonly string[],
  [file, ...rest]: readonly [string, ...string[]] = ["sh", "-c"],
) {
  const args = [...rest, script, ...words, process.execPath, command, "serve", "--port", "0", "--quiet", "--db"];
  return (database: string) => spawnSync(file, [...args, database], { encoding: "utf8" });
}

const inNamespace = ["unshare", "--map-root-user", "--mount", "sh", "-c"] as const;
const maySmallDisk =
  spawnSync("unshare", [...inNamespace.slice(1), "mount -t tmpfs -o size=1m tmpfs /mnt"]).status === 0;

describe("a disk that does not take the first snapshot", () => {
  it("ends the start with 3: the message names the snapshot, and no folder is left", async () => {
    const { folder, database } = await servedBefore();
    const snapshots = `${database}.snapshots`;
    rmSync(snapshots, { recursive: true });
    // The largest file that the process may write, in blocks of 512 bytes: the snapshot is as large as the database.
    const blocks = Math.floor(statSync(database).size / 512) - 8;
    const { status, stderr } = serveThrough(`ulimit -f ${blocks} && exec "$@"`, ["sh"])(database);
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining(`cannot write the recording ${join(snapshots, "start.db")}: the disk did not take`),
    ]);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(readdirSync(folder)).toEqual(["account.db"]);
  });

  // Some containers, and systems other than Linux, do not allow namespaces, so the test cannot mount a small disk.
  it.skipIf(!maySmallDisk)("says that the disk is full", async () => {
    const { database } = await servedBefore();
    const disk = temporaryFolder();
    const kilobytes = Math.ceil(statSync(database).size / 1024) + 300;
    const script = `mount -t tmpfs -o size=${kilobytes}k tmpfs "$0" && cp "$1" "$0/account.db" && shift && exec "$@"`;
    const { status, stderr } = serveThrough(script, [disk, database], inNamespace)(join(disk, "account.db"));
    expect([status, stderr]).toEqual([3, expect.stringContaining("start.db: the disk is full; free some space")]);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });
});

describe("a database with a damaged header", () => {
  it("says what is wrong, changes nothing, and exits with 2", async () => {
    const { database } = await servedBefore();
    const sound = readFileSync(database);
    const damages = {
      pageSize: [16, 7],
      writeVersion: [18, 9],
      readVersion: [19, 9],
      payload: [22, 9],
      schema: [47, 9],
    };
    for (const [name, [at = 0, byte = 0]] of Object.entries(damages)) {
      const bytes = Buffer.from(sound);
      bytes[at] = byte;
      writeFileSync(database, bytes);
      const before = digestOf(database);
      const { code, stderr } = await handset(["serve", "--db", database, "--port", "0"]);
      expect([name, code, stderr.trim().split("\n").length]).toEqual([name, 2, 1]);
      expect(stderr).toContain(`${database}: its header names a file format that SQLite does not know`);
      expect(digestOf(database)).toBe(before);
    }
  });
});

describe("the token of the control API", () => {
  it("stays the same for one database; one that is named replaces it", async () => {
    const database = join(temporaryFolder(), "account.db");
    const served = async (options: ServeOptions = {}): Promise<string> => {
      const { served } = await serving({ database, ...options });
      await served.close();
      return served.labToken;
    };
    const made = await served({ scenario: emptyScenario() });
    expect(await served()).toBe(made);
    expect(await served({ labToken: "named-by-hand" })).toBe("named-by-hand");
    const again = await serving({ database });
    expect(again.served.labToken).toBe("named-by-hand");
    expect((await again.lab.get("/clock")).status).toBe(200);
  });

  it("is kept when a snapshot is restored that has another", async () => {
    const database = join(temporaryFolder(), "account.db");
    const first = await serving({ scenario: emptyScenario(), database });
    await first.lab.done("POST", "/snapshots", { save: "mine" });
    await first.served.close();
    const second = await serving({ database, labToken: "named-by-hand" });
    await second.lab.done("POST", "/snapshots", { restore: "mine" });
    await second.served.close();
    const { served } = await serving({ database });
    expect(served.labToken).toBe("named-by-hand");
  });

  it("is another for a copy of the database", async () => {
    const folder = temporaryFolder();
    const database = join(folder, "account.db");
    const first = await serving({ scenario: emptyScenario(), database });
    await first.served.close();
    for (const copied of [{ recording: database }, { recording: database, database: join(folder, "copy.db") }]) {
      const { served } = await serving(copied);
      expect(served.labToken).not.toBe(first.served.labToken);
    }
  });
});

/** The database as a kill of its server would leave it now. */
function asKilled(database: string): string {
  const copy = join(temporaryFolder(), "killed.db");
  for (const suffix of ["", "-wal"]) copyFileSync(database + suffix, copy + suffix);
  return copy;
}

async function nowOf(lab: ServedLab): Promise<string> {
  return (await lab.lab.done("GET", "/clock")).now as string;
}

describe("the virtual clock of a database", () => {
  it("is not set back by a kill or a restart after a stretch in which nothing happened", async () => {
    const database = join(temporaryFolder(), "account.db");
    const first = await serving({ scenario: emptyScenario(), database });
    await first.step("3h");
    expect(await nowOf(await serving({ database: asKilled(database) }))).toBe("2026-03-04T09:00:00.000000Z");
    await first.step("2h");
    await first.served.close();
    expect(await nowOf(await serving({ database }))).toBe("2026-03-04T11:00:00.000000Z");
  });

  it("is recorded each second while it runs", async () => {
    const database = join(temporaryFolder(), "account.db");
    const lab = await serving({ scenario: emptyScenario(), database, isPaused: false, speed: 10_000 });
    const reader = openRecording(database);
    onTestFinished(() => reader.close());
    const recordedMs = (): number => readCommittedPosition(reader)?.atMs ?? 0;
    await until(() => recordedMs() > 10_000, "the clock's time is in the database");
    const reachedMs = recordedMs();
    const killed = asKilled(database);
    await lab.lab.done("POST", "/clock", { paused: true });
    const again = await serving({ database: killed });
    expect(Date.parse(await nowOf(again)) - again.served.startsAtMs).toBeGreaterThanOrEqual(reachedMs);
  });
});
