import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Connection } from "../../src/store/sqlite/connection.js";
import { openRecording, replayRecording, resultOf } from "../../src/index.js";
import { handset } from "../cli/terminal.js";
import { eventTypes } from "../../src/wire/index.js";
import { temporaryFolder } from "../support/folder.js";
import { serving } from "./served.js";
import { parse, play, receiverThat, smallDay } from "./support.js";

/** Two handsets with the same day; the account forwards only incoming texts and alarms of the first one. */
const day = `
name: Chosen events
seed: 3
lasts: 10m
handsets:
  few: { phone: "+250788000001", events: [mo_sms, alarm] }
  every: { phone: "+250788000002" }
people:
  a: { of: few, phone: "+250788111111" }
  b: { of: every, phone: "+250788111112" }
story:
  - at: 1m
    text: { from: a, to: few, body: one }
  - at: 1m
    text: { from: b, to: every, body: two }
  - at: 2m
    send: { via: few, to: a, body: answer }
  - at: 2m
    send: { via: every, to: b, body: answer }
  - after: 5m
    expect: { event: mt_sent, of: few }
expect:
  - events.mt_sent == 2
  - failures == 0
`;

/** What a receiver got: the type of each event and its channel. */
function typesOf(got: readonly { readonly body: string }[]): string[] {
  return got
    .map(({ body }) => new URLSearchParams(body))
    .map((fields) => `${fields.get("relayer")} ${fields.get("event")}`)
    .toSorted();
}

const chosen = ["1 mo_sms", "2 mo_sms", "2 mt_dlvd", "2 mt_sent"];

describe("event types that the account does not forward", () => {
  it("are not posted by a service that is served, also not after the database is opened again", async () => {
    const receiver = await receiverThat((_, response) => void response.end());
    const database = join(temporaryFolder(), "served.db");
    const first = await serving({ scenario: parse(day), database, receiver: receiver.url });
    await first.step("5m");
    await first.served.close();
    expect(typesOf(receiver.got)).toEqual(chosen);
    const again = await serving({ database, receiver: receiver.url });
    await again.lab.done("POST", "/do/send", { via: "few", to: "a", body: "more" });
    await again.lab.done("POST", "/do/text", { from: "a", to: "few", body: "three" });
    await again.step("5m");
    await again.served.close();
    expect(typesOf(receiver.got)).toEqual([...chosen, "1 mo_sms"].toSorted());
    const reader = openRecording(database);
    const recorded = [...reader.events()].filter(({ channel }) => channel === 1).map(({ type }) => type);
    reader.close();
    expect(recorded.toSorted()).toEqual(["mo_sms", "mo_sms", "mt_dlvd", "mt_dlvd", "mt_sent", "mt_sent"]);
  });

  it("are recorded, never posted, and closed in the ledger under a cause of their own", async () => {
    const receiver = await receiverThat((_, response) => void response.end());
    const path = join(temporaryFolder(), "day.db");
    const { result, exitCode } = await play(day, { receiver: receiver.url, recording: path });
    expect(typesOf(receiver.got)).toEqual(chosen);
    expect(exitCode).toBe(0);
    expect(result.events).toEqual({ mo_sms: 2, mt_sent: 2, mt_dlvd: 2 });
    expect(result.ledger.events).toMatchObject({
      in: 6,
      delivered: 4,
      queued: 0,
      lost: { "not-forwarded": 2 },
      gap: 0,
    });
    expect(result.attempts.accepted).toBe(4);
    const text = (await handset(["report", path])).stdout.replaceAll(/\s+/g, " ");
    expect(text).toContain("6 in = 4 delivered + 2 not forwarded");
    expect(text).toContain("not sent 2 events of types that the account does not forward");
    const listed = async (outcome: string): Promise<string[]> => {
      const { stdout } = await handset(["events", path, "--outcome", outcome]);
      return stdout.split("\n").filter((line) => line !== "");
    };
    expect(await listed("untried")).toEqual([]);
    const kept = (await listed("not-forwarded")).map((line) => JSON.parse(line) as { type: string; handset: string });
    expect(kept.map(({ type, handset: of }) => `${of} ${type}`)).toEqual(["few/0 mt_sent", "few/0 mt_dlvd"]);
    const page = join(temporaryFolder(), "day.html");
    await handset(["report", path, "--format", "html", "-o", page]);
    const words = readFileSync(page, "utf8")
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ");
    expect(words).toContain("delivered + failed + waiting + not forwarded + lost + missing");
    expect(words).toMatch(/ events 6 4 0 0 2 0 0 /);
    expect(words).not.toMatch(/events lost: /);
    const json = JSON.parse((await handset(["report", path, "--json"])).stdout) as Record<string, unknown>;
    expect(json).toMatchObject({ lost: 0, "ledger.gap": 0 });
  });

  it("leave no gap in the ledger, whichever types are chosen", async () => {
    const choice = fc.subarray([...eventTypes], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(choice, async (events) => {
        const receiver = await receiverThat((_, response) => void response.end());
        const { result } = await play(smallDay.replace("{ count: 4,", `{ count: 4, events: [${events.join(", ")}],`), {
          receiver: receiver.url,
        });
        const all = Object.entries(result.events);
        const sent = all.filter(([type]) => events.some((one) => one === type)).reduce((sum, [, n]) => sum + n, 0);
        const { in: born, delivered, queued, lost, gap } = result.ledger.events;
        expect({ sent: delivered + queued, gap, lost: result.lost }).toEqual({ sent, gap: 0, lost: 0 });
        expect(lost["not-forwarded"] ?? 0).toBe(born - sent);
        expect(new Set(typesOf(receiver.got).map((line) => line.split(" ")[1] ?? "")).size).toBeLessThanOrEqual(
          events.length,
        );
      }),
      { numRuns: 4, seed: 1 },
    );
  });

  it("do not change which events are created: the digest equals that of a day that forwards all", async () => {
    const receiver = await receiverThat((_, response) => void response.end());
    const { result } = await play(day, { receiver: receiver.url });
    const whole = await play(day.replace(", events: [mo_sms, alarm]", ""), { receiver: receiver.url });
    expect(whole.result.digest).toBe(result.digest);
  });

  it("are neither unanswered nor failures", async () => {
    const receiver = await receiverThat((_, response) => void response.end());
    const silent = day.replace("[mo_sms, alarm]", "[mt_sent]").replace("failures == 0", "unanswered == 1");
    const path = join(temporaryFolder(), "day.db");
    const { result, exitCode } = await play(silent, { receiver: receiver.url, recording: path });
    expect(result.expectations.filter(({ held }) => !held)).toEqual([]);
    expect(exitCode).toBe(0);
  });

  it("are named by why and events", async () => {
    const receiver = await receiverThat((_, response) => void response.end());
    const path = join(temporaryFolder(), "day.db");
    await play(day, { receiver: receiver.url, recording: path });
    const events = (await handset(["events", path, "--type", "mt_sent"])).stdout.trim().split("\n");
    const told = events.map((line) => JSON.parse(line) as { id: string; handset: string });
    const few = told.find(({ handset }) => handset === "few/0");
    const every = told.find(({ handset }) => handset === "every/0");
    expect(few).toMatchObject({ attempts: [], notForwarded: true });
    expect(every).toMatchObject({ attempts: [{ status: 200 }] });
    expect(every).not.toHaveProperty("notForwarded");
    const why = (await handset(["why", path, few?.id ?? ""])).stdout.replaceAll(/\s+/g, " ");
    expect(why).toContain("was not posted: the account does not forward mt_sent from this handset, only mo_sms, alarm");
  });

  it("stay unposted in a replay, unless its filters name their type", async () => {
    const receiver = await receiverThat((_, response) => void response.end());
    const folder = temporaryFolder();
    const path = join(folder, "day.db");
    await play(day, { receiver: receiver.url, recording: path });
    const again = await receiverThat((_, response) => void response.end());
    const { result } = await replayRecording(path, { receiver: again.url, recording: join(folder, "again.db") });
    expect(typesOf(again.got)).toEqual(chosen);
    expect(result.ledger.events).toMatchObject({ in: 6, delivered: 4, lost: { "not-forwarded": 2 }, gap: 0 });
    const named = await receiverThat((_, response) => void response.end());
    const filters = { type: ["mt_sent"] };
    await replayRecording(path, { receiver: named.url, recording: join(folder, "named.db"), filters });
    expect(typesOf(named.got)).toEqual(["1 mt_sent", "2 mt_sent"]);
  });

  it("have the same cause where a recording was cut off, and stay closed when it is resumed", async () => {
    const receiver = await receiverThat((_, response) => void response.end());
    const path = join(temporaryFolder(), "day.db");
    const { result } = await play(day, { receiver: receiver.url, recording: path });
    const database = new Connection(path);
    database.exec("DELETE FROM run WHERE key IN ('digest', 'result', 'endedWallMs')");
    database.close();
    const recording = openRecording(path);
    const cut = resultOf(recording);
    recording.close();
    expect(cut.isUnfinished).toBe(true);
    expect(cut.ledger.events.lost).toEqual({ "not-forwarded": 2 });
    const before = receiver.got.length;
    const resumed = await handset(["run", "--resume", path, "--json"]);
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      digest: result.digest,
      ledger: { events: { lost: { "not-forwarded": 2 }, gap: 0 } },
    });
    expect(receiver.got.length).toBe(before);
  });

  it("are the same from the parts of a fleet", async () => {
    const receiver = await receiverThat((_, response) => void response.end());
    const folder = temporaryFolder();
    const parts = [join(folder, "0.db"), join(folder, "1.db")];
    for (const [place, recording] of parts.entries()) {
      await play(day, { receiver: receiver.url, recording, shard: { index: place + 1, count: 2 } });
    }
    const whole = join(folder, "whole.db");
    const { code, stderr } = await handset(["merge", ...parts, "--output", whole]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(typesOf(receiver.got)).toEqual(chosen);
    const recording = openRecording(whole);
    expect(resultOf(recording).ledger.events.lost).toEqual({ "not-forwarded": 2 });
    recording.close();
  });
});
