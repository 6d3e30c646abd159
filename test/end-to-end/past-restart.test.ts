import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { PastFrame, PastView, ReadyPast, StoryView } from "../../src/console/index.js";
import { temporaryFolder } from "../support/folder.js";
import { MarkedReceiver } from "./killed-run.js";
import { type Client, type ServedLab, serveReady, serving } from "./served.js";
import { ServerProcess } from "./server-process.js";
import { parse, smallDay } from "./support.js";
import { isNightly } from "../support/effort.js";
import { WAIT_MS } from "../support/hang-guard.js";

interface InFlight {
  readonly in_flight: number;
}

/** The clients of a server. */
type Server = Pick<ServedLab, "lab" | "api">;

const handsets = ["clinic/0", "clinic/1"].map((of) => encodeURIComponent(of));
const paths = [
  "/lab/handsets",
  "/lab/events?limit=100",
  ...handsets.flatMap((of) => ["", "/conversations", "/calls"].map((part) => `/lab/handset${part}?of=${of}`)),
  ...["contacts", "messages", "runs", "broadcasts", "channels", "channel_events", "groups"].map(
    (list) => `/api/v2/${list}.json`,
  ),
];

/** What the lab answers at a moment: the fleet, totals, story, phones, conversations, lists. */
async function momentAt(server: Server, atMs: number): Promise<Readonly<Record<string, unknown>>> {
  const { story, ...picture } = (await server.lab.done("GET", `/past/moment?at=${atMs}`)) as PastFrame;
  const { refusal: _refusal, file: _file, ...told } = story as StoryView;
  return { picture, told, ...(await answersOf(server, { "lab-moment": String(atMs) })) };
}

/** What the lab answers now, or at the moment that a header names. */
async function answersOf({ lab, api }: Server, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const status = (await bodyOf(lab, "/", headers)) as Record<string, unknown>;
  const { receiver: _receiver, database: _where, clock: _clock, ...counts } = status;
  const answers: Record<string, unknown> = { counts };
  for (const path of paths) {
    const { results, ...body } = (await (path.startsWith("/lab")
      ? bodyOf(lab, path.slice(4), headers)
      : bodyOf(api, path.slice("/api/v2/".length), headers))) as { readonly results?: unknown };
    answers[path] = results ?? body;
  }
  return answers;
}

/** Expects that the past at the lab's instant equals what the lab answers now. The clock must be paused. */
async function expectPastIsNow(server: Server, atMs: number): Promise<void> {
  await expect.poll(async () => ((await server.lab.done("GET", "/")) as InFlight).in_flight).toBe(0);
  const live = await answersOf(server);
  await server.lab.done("POST", "/past", { do: "refresh" });
  expect(await answersOf(server, { "lab-moment": String(atMs) })).toEqual(live);
}

async function bodyOf(client: Client, path: string, headers: Record<string, string>): Promise<unknown> {
  const { status, body } = await client.ask("GET", path, undefined, headers);
  expect([path, status]).toEqual([path, 200]);
  return body as unknown;
}

async function pastOf({ lab }: Server): Promise<ReadyPast> {
  return vi.waitFor(
    async () => {
      const view = (await lab.done("GET", "/past")) as PastView;
      if (view.state !== "ready" || !view.isComplete) throw new Error(JSON.stringify(view).slice(0, 500));
      return view;
    },
    { timeout: WAIT_MS, interval: 100 },
  );
}

async function nowOf({ lab }: Server, startsAtMs: number): Promise<number> {
  return Date.parse(((await lab.done("GET", "/clock")) as { readonly now: string }).now) - startsAtMs;
}

describe("the past of a database beyond restarts", () => {
  it("shows each moment of earlier sessions as it was, after one restart and after two", async () => {
    const database = join(temporaryFolder(), "served.db");
    const receiver = await MarkedReceiver.start();
    const options = { database, receiver: receiver.url };
    const seen = new Map<number, unknown>();

    const first = await serveReady(options);
    await first.lab.done("POST", "/do/text", { from: "people/3", to: "clinic/0", body: "is it open?" });
    await first.lab.done("POST", "/do/text", { from: "+12025550199", to: "clinic/1", body: "who are you" });
    await first.lab.done("POST", "/do/network", { of: "clinic/1", type: "none" });
    await first.step("7m");
    await first.lab.done("POST", "/do/battery", { of: "clinic/0", level: "9%" });
    await first.api.done("POST", "contacts.json", { name: "Ada", urns: ["tel:+12065550142"] });
    await first.step("20m");
    await first.lab.done("POST", "/do/text", { from: "people/1", to: "clinic/0", body: "on its way" });
    const { startsAtMs } = first.served;
    const endOfFirst = await nowOf(first, startsAtMs);
    const ofFirst = (isNightly ? [0.3, 0.7, 0.99] : [0.7]).map((share) => Math.round(endOfFirst * share));
    for (const atMs of [...ofFirst, endOfFirst]) seen.set(atMs, await momentAt(first, atMs));
    await first.served.close();

    const second = await serving(options);
    for (const [atMs, answers] of seen) expect([atMs, await momentAt(second, atMs)]).toEqual([atMs, answers]);
    await second.lab.done("POST", "/do/text", { from: "people/2", to: "clinic/1", body: "still there?" });
    await second.api.done("POST", "broadcasts.json", { text: "Bring the forms", urns: ["tel:+12065550142"] });
    await second.step("30m");
    await second.lab.done("POST", "/do/power", { of: "clinic/0", mains: "off" });
    await second.step("15m");
    const endOfSecond = await nowOf(second, startsAtMs);
    await expectPastIsNow(second, endOfSecond);
    for (const minutes of isNightly ? [1, 31, 45] : [31]) {
      const atMs = endOfFirst + minutes * 60_000;
      seen.set(atMs, await momentAt(second, atMs));
    }
    await second.served.close();

    const third = await serving(options);
    await third.step("10m");
    await third.lab.done("POST", "/past", { do: "refresh" });
    const past = await pastOf(third);
    expect(past).toMatchObject({ untilMs: endOfSecond + 600_000, untilWhy: null, differsAtMs: null, failure: null });
    expect(past.marks.filter(({ kind }) => kind === "restart").map(({ atMs }) => atMs)).toEqual([
      endOfFirst,
      endOfSecond,
    ]);
    expect(past.points.map(({ fromMs }) => fromMs)).toEqual([0, ...past.points.map(({ atMs }) => atMs).slice(0, -1)]);
    for (const [atMs, answers] of seen) expect([atMs, await momentAt(third, atMs)]).toEqual([atMs, answers]);
    await third.served.close();

    // The same file as a recording, which nothing writes any more.
    const copy = await serving({ recording: database });
    const later = endOfFirst + 31 * 60_000;
    expect(await momentAt(copy, later)).toEqual(seen.get(later));
  });

  it("shows the moments of a server that was killed, up to its last commit", async () => {
    const folder = temporaryFolder();
    const receiver = await MarkedReceiver.start();
    const args = ["--db", join(folder, "served.db"), "--receiver", receiver.url, "--paused"];
    const first = await ServerProcess.start(args, folder);
    await first.lab.done("POST", "/do/text", { from: "people/3", to: "clinic/0", body: "is it open?" });
    await first.lab.done("POST", "/do/network", { of: "clinic/1", type: "none" });
    await first.lab.done("POST", "/clock", { step: "25m" });
    await first.lab.done("POST", "/do/battery", { of: "clinic/0", level: "9%" });
    await first.lab.done("POST", "/clock", { step: "3m" });
    const { untilMs } = await pastOf(first);
    const seen = new Map<number, unknown>();
    for (const share of isNightly ? [0.4, 0.97, 1] : [1]) {
      const atMs = Math.round(untilMs * share);
      seen.set(atMs, await momentAt(first, atMs));
    }
    // Saved with no look at the past after it: phones that sync then are newer than their rows.
    await first.lab.done("POST", "/clock", { step: "17m" });
    await first.lab.done("POST", "/do/text", { from: "people/4", to: "clinic/0", body: "the last one" });
    await first.end("SIGKILL");

    const second = await ServerProcess.start(args, folder);
    // Before any phone syncs again.
    await second.lab.done("POST", "/clock", { step: "1ms" });
    await expectPastIsNow(second, untilMs + 17 * 60_000 + 1);
    await second.lab.done("POST", "/clock", { step: "5m" });
    await second.lab.done("POST", "/past", { do: "refresh" });
    const ofSecond = await pastOf(second);
    expect(ofSecond).toMatchObject({ differsAtMs: null, failure: null, untilWhy: null });
    expect(ofSecond.untilMs).toBe(untilMs + 22 * 60_000 + 1);
    for (const [atMs, answers] of seen) expect([atMs, await momentAt(second, atMs)]).toEqual([atMs, answers]);
    for (const atMs of [untilMs + 17 * 60_000]) seen.set(atMs, await momentAt(second, atMs));
    await second.end("SIGKILL");

    const third = await ServerProcess.start(args, folder);
    const ofThird = await pastOf(third);
    expect(ofThird).toMatchObject({ differsAtMs: null, failure: null, untilWhy: null });
    for (const [atMs, answers] of seen) expect([atMs, await momentAt(third, atMs)]).toEqual([atMs, answers]);
  });

  it("ends where a snapshot was restored, and says so", async () => {
    const live = await serving({ scenario: parse(smallDay), database: join(temporaryFolder(), "served.db") });
    await live.step("5m");
    await live.lab.done("POST", "/snapshots", { save: "early" });
    await live.step("5m");
    await live.lab.done("POST", "/snapshots", { restore: "early" });
    await live.step("5m");
    expect(await pastOf(live)).toMatchObject({
      untilMs: 600_000,
      untilWhy: "A snapshot was restored then, and the phones began again.",
    });
  });
});
