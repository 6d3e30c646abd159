import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import type { Profile } from "../../src/world/index.js";
import { exact, farmerPhone, hour, type WorldRig, minute, never, oneClinic, second } from "../support/world-rig.js";

/** A phone without the radio's latency, so a text is on air when it is handed over. */
function clinicWith(changes: Partial<Profile>, name = "plain"): WorldRig {
  const instant = { sentAfter: fixed(0), ...changes };
  return oneClinic({ profile: exact(name === "plain" ? instant : { pollEveryMs: minute, ...instant }, name) });
}

function queue(rig: WorldRig, count: number, text = "news"): void {
  for (let one = 0; one < count; one++) rig.send(1, farmerPhone, text);
}

/** When texts went on air: two seconds before they were shown. */
function onAir(rig: WorldRig): number[] {
  return rig.heard.map(({ atMs }) => atMs - 2 * second);
}

describe("the send limit", () => {
  it("does not exist in plain without packs", () => {
    const rig = clinicWith({});
    queue(rig, 200);
    rig.until(5 * minute);
    expect(rig.heard).toHaveLength(200);
  });

  it("plain with one pack: 30 a second apart, and the next when the first is 30 min old", () => {
    const rig = clinicWith({ packs: 1 });
    queue(rig, 61);
    rig.until(29 * minute);
    const first = onAir(rig)[0] ?? NaN;
    expect(onAir(rig)).toEqual(Array.from({ length: 30 }, (_, index) => first + index * second));
    expect(rig.world.deviceStatus(1)).toMatchObject({ pending: { length: 31 } });
    rig.until(first + 30 * minute + 2 * second - 1);
    expect(rig.heard).toHaveLength(30);
    rig.until(first + 30 * minute + 2 * second);
    expect(rig.heard).toHaveLength(31);
    rig.until(59 * minute);
    expect(rig.heard).toHaveLength(60);
    rig.until(61 * minute);
    expect(rig.heard).toHaveLength(61);
  });

  it("2017: 29, strictly fewer than 30, in 32 minutes", () => {
    const rig = clinicWith({}, "2017");
    queue(rig, 200);
    rig.until(31 * minute);
    const first = onAir(rig)[0] ?? NaN;
    expect(rig.heard).toHaveLength(29);
    rig.until(first + 32 * minute + second);
    expect(rig.heard).toHaveLength(29);
    rig.until(first + 34 * minute);
    expect(rig.heard).toHaveLength(58); // the runner runs each minute
  });

  it.each([
    { name: "plain", packs: 2, room: 60 },
    { name: "2017", packs: 2, room: 58 },
    { name: "2017", packs: 11, room: 319 },
    { name: "2024", packs: 3, room: 87 },
  ])("$name: $packs packs send $room in a window", ({ name, packs, room }) => {
    const rig = clinicWith({ packs }, name);
    queue(rig, 400);
    rig.until(25 * minute);
    expect(rig.heard).toHaveLength(room);
  });

  it.each([
    { name: "plain", most: 30 },
    { name: "2017", most: 29 },
  ])("$name: counts segments; a text of more than $most is never sent, others pass it", ({ name, most }) => {
    const rig = clinicWith({ packs: 2 }, name);
    const tooLong = rig.send(1, farmerPhone, "a".repeat(153 * (most + 1)));
    const longest = rig.send(1, farmerPhone, "a".repeat(153 * most));
    queue(rig, most + 1);
    rig.until(29 * minute);
    expect(rig.statusOf(longest)).toBe("S");
    expect(rig.heard).toHaveLength(1 + most); // one pack has sent the long one, the other these
    rig.until(4 * hour);
    expect(rig.statusOf(tooLong)).toBe("Q");
    expect(rig.heard).toHaveLength(1 + most + 1);
    expect(rig.world.deviceStatus(1).pending).toEqual([tooLong]);
  });

  it("holds in every window for any texts", () => {
    const texts = fc.array(fc.record({ afterMs: fc.nat(6 * minute), segments: fc.integer({ min: 1, max: 12 }) }), {
      minLength: 20,
      maxLength: 60,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 3 }), (all, packs) => {
        const rig = clinicWith({ packs, pollEveryMs: never, batch: 1000 });
        for (const { afterMs, segments } of all) {
          rig.until(rig.kernel.now + afterMs);
          rig.send(1, farmerPhone, "a".repeat(segments * 153 - 20));
        }
        rig.until(rig.kernel.now + 20 * hour);
        const sent = rig.heard.map(({ atMs, text }) => ({ atMs, segments: Math.ceil(text.length / 153) }));
        expect(sent).toHaveLength(all.length);
        for (const { atMs: endMs } of sent) {
          let within = 0;
          for (const { atMs, segments } of sent) {
            if (atMs <= endMs && atMs > endMs - 30 * minute) within += segments;
          }
          expect(within).toBeLessThanOrEqual(30 * packs);
        }
      }),
      { numRuns: 30 },
    );
  });
});
