import { expect, it, onTestFinished, vi } from "vitest";
import { HappeningLines } from "../../src/cli/printing/happening-lines.js";
import { runCommandLine } from "../../src/cli/program.js";
import type { Happening } from "../../src/index.js";
import { Client } from "../end-to-end/served.js";
import { temporaryFolder } from "../support/folder.js";

const noon = Date.parse("2026-03-04T12:00:00.000Z");

/** What is written of these, each followed by the end of the window where it says so. */
function linesOf(happenings: readonly (Happening | "end of window")[], columns = 80, isNowhere = false): string[] {
  const written: string[] = [];
  const lines = new HappeningLines({
    startsAtMs: noon,
    handsetOf: (channel) => `clinic/${channel - 1}`,
    columns: () => columns,
    isNowhere,
    write: (line) => void written.push(line),
  });
  for (const happening of happenings) {
    if (happening === "end of window") lines.endWindow();
    else lines.take(happening);
  }
  return written;
}

function eventOf(number: number, body = "event=mo_sms&phone=%2B12065550142&text=are+you+there%3F"): Happening {
  return { kind: "event", channel: 1, number, atMs: 61_000, type: "mo_sms", body };
}

function attemptOf(number: number, whichTry = 1, status: number | null = 200): Happening {
  const error = status === null ? "ECONNREFUSED" : null;
  return {
    kind: "attempt",
    channel: 1,
    number,
    atMs: 61_000,
    try: whichTry,
    status,
    error,
    outcome: "",
    durationMs: 3.4,
  };
}

it("is an event with its answer, a request, a hand, a note, each on a line", () => {
  expect(
    linesOf([
      eventOf(1),
      attemptOf(1),
      eventOf(2),
      attemptOf(2, 1, null),
      attemptOf(2, 2),
      { kind: "call", atMs: 62_000, method: "POST", path: "/api/v2/labels.json" },
      { kind: "hand", atMs: 63_000, text: 'do/sync {"of":"clinic"}' },
      { kind: "note", atMs: 64_000, channel: 0, word: "note", text: "the storm\nbegins\u001b[2J" },
    ]),
  ).toEqual([
    '12:01:01  mo_sms    clinic/0 +12065550142 "are you there?" -> 200 in 3 ms',
    '12:01:01  mo_sms    clinic/0 +12065550142 "are you ther… -> ECONNREFUSED in 3 ms',
    "12:01:01  answer    clinic/0 event 1/2: 200 in 3 ms, try 2",
    "12:01:02  POST      /api/v2/labels.json",
    '12:01:03  by hand   do/sync {"of":"clinic"}',
    String.raw`12:01:04  note      the storm\nbegins\u001b[2J`,
  ]);
});

it("fits the terminal, and the answer is always there", () => {
  const long = `event=mo_sms&phone=%2B12065550142&text=${"x".repeat(500)}`;
  const [line = ""] = linesOf([eventOf(1, long), attemptOf(1)]);
  expect(line).toHaveLength(80);
  expect(line).toMatch(/… -> 200 in 3 ms$/);
});

it("says where an event has no answer", () => {
  expect(linesOf([eventOf(1), "end of window"])[0]).toContain(" -> no answer yet");
  expect(linesOf([eventOf(1)], 80, true)[0]).toContain(" -> recorded");
});

it("shows a bounded number in each window, and counts the rest", () => {
  const storm = Array.from({ length: 5000 }, (_, index) => [eventOf(index), attemptOf(index)]).flat();
  const lines = linesOf([...storm, "end of window", eventOf(5001), attemptOf(5001), "end of window"]);
  expect(lines).toHaveLength(22);
  expect(lines[20]).toBe("          and more, not shown: 4980 events");
  expect(lines[21]).toContain(" -> 200");
});

it("comes from handset serve, unless it is --quiet", async () => {
  for (const isQuiet of [false, true]) {
    vi.stubEnv("XDG_RUNTIME_DIR", temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    let stdout = "";
    let press = (): void => undefined;
    let changed = (): void => undefined;
    const until = async (text: string): Promise<void> => {
      while (!stdout.includes(text)) await new Promise<void>((resolve) => (changed = resolve));
    };
    const base = { isTTY: false, columns: 80, colours: 0 as const };
    const write = (text: string): void => {
      stdout += text;
      changed();
    };
    const argv = ["serve", "--port", "0", "--paused", "--starts", "2026-03-04T12:00:00Z", ...(isQuiet ? ["-q"] : [])];
    const code = runCommandLine(argv, {
      stdout: { ...base, write },
      stderr: { ...base, write: () => undefined },
      onInterrupt: (callback) => {
        press = callback;
        return () => undefined;
      },
      exit: (status) => {
        throw new Error(`exit ${status}`);
      },
    });
    await until("Try:");
    const row = (name: string): string => new RegExp(`^  ${name} +(.+)$`, "m").exec(stdout)?.[1] ?? "";
    const lab = new Client(row("control API").replace(/\/$/, ""), row("its token"));
    const api = new Client(row("REST API"), row("token"));
    await lab.done("POST", "/alarms", { of: "clinic/0" });
    await api.done("POST", "labels.json", { name: "Shown" });
    if (!isQuiet) await until("-> 200 in ");
    press();
    expect(await code).toBe(0);
    const shown = stdout.split("\n").filter((line) => /^\d\d:\d\d:\d\d {2}/.test(line));
    if (isQuiet) expect(shown).toEqual([]);
    else {
      expect(shown.toSorted()).toEqual([
        expect.stringMatching(/^12:00:00 {2}POST {6}\/api\/v2\/labels.json$/),
        expect.stringMatching(/^12:00:00 {2}alarm {5}clinic\/0 -> 200 in \d+ ms$/),
        '12:00:00  by hand   alarms {"of":"clinic/0"}',
      ]);
      expect(stdout).toContain("by the lab's clock (UTC); --quiet leaves it out");
    }
  }
});
