import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import type { CDPSession, Page } from "playwright-core";
import { launchBrowser } from "./browser.js";
import { command } from "./command.js";
import { millionRecording } from "./million.js";
import { printTable } from "./table.js";

/** Events that are added while the log is scrolled: these many at a time, so often. */
const ADDED = { handsets: "district/0..124", everyMs: 250 };

/** What a page's frames were like while something was done. */
interface Frames {
  /** Milliseconds of each frame. */
  readonly spans: readonly number[];
  /** Milliseconds of each stretch of frames with a blank row in view. */
  readonly blanks: readonly number[];
}

/**
 * The console's log with a million events, in a real Chromium, while 500 events a second are added: frames, how long rows
 * are blank, and the page's memory. The recording is made once, in minutes.
 */
export async function benchConsoleLog(): Promise<void> {
  const recording = await millionRecording();
  const database = recording.replace(/\.db$/, "-served.db");
  copyFileSync(recording, database);
  const startedAt = performance.now();
  const server = spawn(process.execPath, [command, "serve", "--db", database, "--port", "0", "--quiet"]);
  try {
    let link = "";
    for await (const line of createInterface({ input: server.stdout })) {
      link = /https?:\S+\/console\/#token=\S+/.exec(line)?.[0] ?? "";
      if (link !== "") break;
    }
    const openedMs = performance.now() - startedAt;
    server.stdout.resume();
    await scrollLog(new URL(link), openedMs);
  } finally {
    server.kill("SIGINT");
    await once(server, "exit");
    for (const suffix of ["", "-wal", "-shm", ".lock"]) rmSync(database + suffix, { force: true });
  }
}

async function scrollLog(link: URL, openedMs: number): Promise<void> {
  const browser = await launchBrowser();
  const stopAdding = addEvents(link);
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await page.goto(link.href);
    await page.locator("main").waitFor();
    await page.goto(new URL("#/events", link).href);
    await page.getByRole("row").nth(2).waitFor();
    await page.locator(".design-list-box").hover();
    const cdp = await page.context().newCDPSession(page);
    const before = await heapMiB(cdp);
    const rows: string[][] = [];
    for (const [name, act] of Object.entries(ways)) {
      await page.evaluate(watchFrames);
      await act(page);
      rows.push(rowOf(name, await page.evaluate(endFrames)));
    }
    const after = await heapMiB(cdp);
    printTable(["a million events, 500/s added", "frames/s", "over 34 ms", "longest frame", "longest blank"], rows);
    console.log(
      `Opened in ${(openedMs / 1000).toFixed(1)} s; the page's heap: ${before.toFixed(1)} MiB before, ${after.toFixed(1)} MiB after\n`,
    );
  } finally {
    stopAdding();
    await browser.close();
  }
}

/** Ways to move in the log, some seconds each. */
const ways: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "at the top": (page) => page.waitForTimeout(5000),
  wheel: (page) => repeat(120, 25, () => page.mouse.wheel(0, 300)),
  "Page Down held": async (page) => {
    await page.locator(".design-list-box").focus();
    await repeat(60, 40, () => page.keyboard.press("PageDown"));
  },
  "arrow held": (page) => repeat(60, 40, () => page.keyboard.press("ArrowDown")),
  "End and Home": (page) => repeat(10, 400, (turn) => page.keyboard.press(turn % 2 === 0 ? "End" : "Home")),
  "scroll bar, jumps": (page) => repeat(12, 400, (turn) => page.evaluate(scrollTo, ((turn * 7) % 12) / 12)),
  "scroll bar, dragged": (page) => repeat(120, 25, (turn) => page.evaluate(scrollTo, turn / 120)),
  "at rest again": (page) => page.waitForTimeout(2000),
};

async function repeat(times: number, everyMs: number, act: (turn: number) => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  for (let turn = 0; turn < times; turn++) {
    await act(turn);
    const waitMs = startedAt + (turn + 1) * everyMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Runs in the page. */
function scrollTo(part: number): void {
  const page = globalThis as unknown as { document: { querySelector(of: string): Box } };
  const box = page.document.querySelector(".design-list-box");
  box.scrollTop = part * box.scrollHeight;
}

interface Box {
  scrollTop: number;
  readonly scrollHeight: number;
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
}

/** What the two functions below need of a browser, in whose page they run. */
interface Watching {
  readonly document: { querySelector(of: string): Box; querySelectorAll(of: string): Iterable<Box> };
  readonly performance: { now(): number };
  requestAnimationFrame(next: (at: number) => void): number;
  cancelAnimationFrame(id: number): void;
  watched?: { id: number; spans: number[]; blanks: number[]; blankSince: number | undefined };
}

function watchFrames(): void {
  const page = globalThis as unknown as Watching;
  const watched: NonNullable<Watching["watched"]> = { id: 0, spans: [], blanks: [], blankSince: undefined };
  page.watched = watched;
  let last: number | undefined;
  const isBlank = (): boolean => {
    const { top, bottom } = page.document.querySelector(".design-list-box").getBoundingClientRect();
    const head = page.document.querySelector(".design-list-head").getBoundingClientRect();
    const rows = page.document.querySelector(".design-list-rows").getBoundingClientRect();
    if (rows.top > head.bottom + 2 || rows.bottom < bottom - 2) return true;
    return [...page.document.querySelectorAll(".design-list-blank")].some((blank) => {
      const at = blank.getBoundingClientRect();
      return at.bottom > Math.max(top, head.bottom) + 2 && at.top < bottom - 2;
    });
  };
  const frame = (at: number): void => {
    if (last !== undefined) watched.spans.push(at - last);
    last = at;
    if (!isBlank()) {
      if (watched.blankSince !== undefined) watched.blanks.push(at - watched.blankSince);
      watched.blankSince = undefined;
    } else watched.blankSince ??= at;
    watched.id = page.requestAnimationFrame(frame);
  };
  watched.id = page.requestAnimationFrame(frame);
}

function endFrames(): Frames {
  const page = globalThis as unknown as Watching;
  const { watched } = page;
  if (watched === undefined) return { spans: [], blanks: [] };
  const { id, spans, blanks, blankSince } = watched;
  page.cancelAnimationFrame(id);
  return { spans, blanks: blankSince === undefined ? blanks : [...blanks, page.performance.now() - blankSince] };
}

function rowOf(name: string, { spans, blanks }: Frames): string[] {
  const total = spans.reduce((sum, span) => sum + span, 0);
  const late = spans.filter((span) => span > 34).length / spans.length;
  const ms = (of: readonly number[]): string => `${Math.max(0, ...of).toFixed(0)} ms`;
  return [name, ((1000 * spans.length) / total).toFixed(0), `${(100 * late).toFixed(1)} %`, ms(spans), ms(blanks)];
}

/** @returns stops it */
function addEvents({ origin, hash }: URL): () => void {
  const headers = { authorization: `Token ${hash.slice("#token=".length)}`, "content-type": "application/json" };
  const body = JSON.stringify({ of: ADDED.handsets, type: "added", fields: { phone: "+250781100001", text: "added" } });
  const add = (): void => {
    fetch(`${origin}/lab/do/event`, { method: "POST", headers, body }).catch(() => undefined);
  };
  const timer = setInterval(add, ADDED.everyMs);
  return () => clearInterval(timer);
}

async function heapMiB(cdp: CDPSession): Promise<number> {
  await cdp.send("HeapProfiler.collectGarbage");
  return (await cdp.send("Runtime.getHeapUsage")).usedSize / 2 ** 20;
}
