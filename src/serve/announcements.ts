import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, uptime, userInfo } from "node:os";
import { join } from "node:path";
import { replaceFile } from "../base/index.js";

/** A lab that a server on this machine has announced. */
export interface LabAnnouncement {
  /** Address of the server, without a path: `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Name of its scenario. */
  readonly name: string;
  /** Token of the control API. */
  readonly token: string;
  readonly pid: number;
  /** ISO 8601, by the wall clock. */
  readonly startedAt: string;
  /** The announcement file. */
  readonly file: string;
}

/** The values that a server announces. */
type Announcement = Pick<LabAnnouncement, "url" | "token"> & Partial<Pick<LabAnnouncement, "name">>;

/** Allowed correction of the wall clock since boot, in milliseconds. */
const CLOCK_TOLERANCE_MS = 120_000;

/**
 * Announces a served lab in a file that only this user can read. `handset do` reads its address and token from there.
 *
 * @returns removes the announcement; may be called twice
 * @throws an error of the file system, or an Error when the folder belongs to another user or others may write to it
 */
export function announceRunning({ url, token, name }: Announcement): () => void {
  const folder = runningFolder();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOurs(folder)) throw new Error(`${folder} is not this user's own folder, or others may write there`);
  const port = new URL(url).port || "80";
  const file = join(folder, `${process.pid}-${port}.json`);
  const text = JSON.stringify({
    url: new URL(url).origin,
    token,
    name,
    pid: process.pid,
    startedAt: new Date().toISOString(),
  });
  replaceFile(file, `${text}\n`);
  return () => rmSync(file, { force: true });
}

/** As `announceRunning`, but ignores failures: `handset do` then needs --lab. */
export function announceIfPossible(lab: Announcement): () => void {
  try {
    return announceRunning(lab);
  } catch {
    return () => undefined;
  }
}

/**
 * The labs that are served on this machine by this user, the newest first. Removes files of dead processes, and ignores
 * a folder that other users can write to.
 *
 * @param folder - default: `runningFolder()`
 */
export function runningLabs(folder: string = runningFolder()): LabAnnouncement[] {
  if (!isOurs(folder)) return [];
  const labs = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => read(join(folder, name)));
  return labs.toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
}

/** The folder of this user's announcements: in XDG_RUNTIME_DIR, else in the temporary folder. */
export function runningFolder(): string {
  const session = process.env["XDG_RUNTIME_DIR"];
  if (session !== undefined && session !== "") return join(session, "handset-lab");
  const { uid, username } = userInfo();
  return join(tmpdir(), `handset-lab-${uid === -1 ? username : uid}`);
}

/**
 * Whether this user owns a folder and no other user can write to it. On Windows each user has a separate temporary
 * folder.
 */
function isOurs(folder: string): boolean {
  try {
    const stats = lstatSync(folder);
    if (!stats.isDirectory()) return false;
    const { uid } = userInfo();
    return uid === -1 || (stats.uid === uid && (stats.mode & 0o022) === 0);
  } catch {
    return false;
  }
}

function read(file: string): LabAnnouncement[] {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return []; // just removed, or not an announcement
  }
  if (!isAnnouncement(found)) return [];
  if (!isAlive(found)) {
    rmSync(file, { force: true });
    return [];
  }
  const { url, token, pid, startedAt, name = "" } = found;
  return [{ url, token, name, pid, startedAt, file }];
}

type Written = Announcement & Pick<LabAnnouncement, "pid" | "startedAt">;

function isAnnouncement(found: unknown): found is Written {
  if (typeof found !== "object" || found === null) return false;
  const { url, token, pid, startedAt, name } = found as Partial<Record<string, unknown>>;
  const isWritten = typeof url === "string" && typeof token === "string" && typeof startedAt === "string";
  return (
    isWritten &&
    ["string", "undefined"].includes(typeof name) &&
    URL.canParse(url) &&
    !Number.isNaN(Date.parse(startedAt)) &&
    Number.isSafeInteger(pid)
  );
}

/** Whether the process still runs. After a reboot another process may have its id. */
function isAlive({ pid, startedAt }: Written): boolean {
  if (Date.parse(startedAt) < Date.now() - uptime() * 1000 - CLOCK_TOLERANCE_MS) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
