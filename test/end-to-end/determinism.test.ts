import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { play, receiverThat, smallDay } from "./support.js";

/** Answers incoming texts with a reply that depends on the event only. */
function replyTo(body: string): string {
  const fields = new URLSearchParams(body);
  if (fields.get("event") !== "mo_sms") return "{}";
  return JSON.stringify({ urn: [`tel:${fields.get("phone")}`], text: `got: ${fields.get("text")}` });
}

describe("one seed", () => {
  it("gives the same digest again, and another seed another", async () => {
    const first = await play(smallDay, { receiver: "none" });
    const again = await play(smallDay, { receiver: "none" });
    const other = await play(smallDay, { receiver: "none", set: ["seed=8"] });
    expect(first.result.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(again.result.digest).toBe(first.result.digest);
    expect(other.result.digest).not.toBe(first.result.digest);
  });

  it("gives the same digest wherever the handsets are on the picture", async () => {
    const set = ["handsets.clinic.place.x=3", "handsets.clinic.place.y=4", "handsets.clinic.name=Old Clinic"];
    const [placed, plain] = [
      await play(smallDay, { receiver: "none", set }),
      await play(smallDay, { receiver: "none" }),
    ];
    expect(placed.result.digest).toBe(plain.result.digest);
  });

  it("gives the same digest against a receiver that answers the same after random delays", async () => {
    const prompt = await receiverThat((body, response) => response.end(replyTo(body)));
    const dawdling = await receiverThat(
      (body, response) => void setTimeout(() => response.end(replyTo(body)), Math.random() * 6),
    );
    const set = ["lasts=1h"];
    const first = await play(smallDay, { receiver: prompt.url, set });
    const second = await play(smallDay, { receiver: dawdling.url, connections: 7, set });
    expect(first.result.replies.valid).toBeGreaterThan(150);
    expect(second.result.digest).toBe(first.result.digest);
    expect(second.result.ledger).toEqual(first.result.ledger);
    expect(first.exitCode).toBe(0);
  });

  it("leaves every other phone's events as they were when a group is added", async () => {
    const bodies = async (text: string): Promise<string[]> => {
      const recording = join(temporaryFolder(), "run.db");
      await play(text, { receiver: "none", recording });
      const reader = openRecording(recording);
      const seen = [...reader.events()]
        .filter(({ channel }) => channel <= 4)
        .map(({ atMs, body }) => `${atMs} ${body}`);
      reader.close();
      return seen;
    };
    const alone = await bodies(smallDay);
    const withNeighbours = await bodies(
      smallDay
        .replace(
          "people:",
          '  school: { count: 3, phone: "+2507990{00000}", battery: 40%..50%, mains: off }\npeople:\n  parents: { count: 9, of: school, phone: "+2507995{00000}" }',
        )
        .replace("story:", "  - texts: { from: parents, to: school, body: hello }\n    rate: 5/m\nstory:"),
    );
    expect(alone.length).toBeGreaterThan(400);
    expect(withNeighbours).toEqual(alone);
  });
});
