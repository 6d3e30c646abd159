import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import type { Profile } from "../../src/world/index.js";
import { clinic, exact, farmerPhone, hour, type Lab, minute, never, oneClinic, second } from "./loop-back.js";

/** A phone without the radio's latency, so that what is handed over is on air at once. */
function clinicWith(changes: Partial<Profile>, name = "plain"): Lab {
  const instant = { sentAfter: fixed(0), ...changes };
  return oneClinic({ profile: exact(name === "plain" ? instant : { pollEveryMs: minute, ...instant }, name) });
}

function queue(lab: Lab, count: number, text = "news"): void {
  for (let one = 0; one < count; one++) lab.send(1, farmerPhone, text);
}

/** When texts went on air: two seconds before they were shown. */
function onAir(lab: Lab): number[] {
  return lab.heard.map(({ atMs }) => atMs - 2 * second);
}

describe("the send limit", () => {
  it("does not exist in plain without packs", () => {
    const lab = clinicWith({});
    queue(lab, 200);
    lab.until(5 * minute);
    expect(lab.heard).toHaveLength(200);
  });

  it("plain with one pack: 30 a second apart, and the next when the first is 30 min old", () => {
    const lab = clinicWith({ packs: 1 });
    queue(lab, 61);
    lab.until(29 * minute);
    const first = onAir(lab)[0] ?? NaN;
    expect(onAir(lab)).toEqual(Array.from({ length: 30 }, (_, index) => first + index * second));
    expect(lab.world.deviceStatus(1)).toMatchObject({ pending: { length: 31 } });
    lab.until(first + 30 * minute + 2 * second - 1);
    expect(lab.heard).toHaveLength(30);
    lab.until(first + 30 * minute + 2 * second);
    expect(lab.heard).toHaveLength(31);
    lab.until(59 * minute);
    expect(lab.heard).toHaveLength(60);
    lab.until(61 * minute);
    expect(lab.heard).toHaveLength(61);
  });

  it("2017: 29, strictly fewer than 30, in 32 minutes", () => {
    const lab = clinicWith({}, "2017");
    queue(lab, 200);
    lab.until(31 * minute);
    const first = onAir(lab)[0] ?? NaN;
    expect(lab.heard).toHaveLength(29);
    lab.until(first + 32 * minute + second);
    expect(lab.heard).toHaveLength(29);
    lab.until(first + 34 * minute);
    expect(lab.heard).toHaveLength(58); // the runner looks each minute
  });

  it("2017: 54 an hour in the long run", () => {
    const lab = clinicWith({ batch: 1000 }, "2017");
    queue(lab, 700);
    lab.until(10 * hour);
    expect(lab.heard.length / 10).toBeGreaterThan(52);
    expect(lab.heard.length / 10).toBeLessThanOrEqual(55.1);
  });

  it.each([
    { name: "plain", packs: 2, room: 60 },
    { name: "2017", packs: 2, room: 58 },
    { name: "2017", packs: 11, room: 319 },
    { name: "2024", packs: 3, room: 87 },
  ])("$name: $packs packs send $room in a window", ({ name, packs, room }) => {
    const lab = clinicWith({ packs }, name);
    queue(lab, 400);
    lab.until(25 * minute);
    expect(lab.heard).toHaveLength(room);
  });

  it.each([
    { name: "plain", most: 30 },
    { name: "2017", most: 29 },
  ])("$name: counts segments; a text of more than $most is never sent, others pass it", ({ name, most }) => {
    const lab = clinicWith({ packs: 2 }, name);
    const tooLong = lab.send(1, farmerPhone, "a".repeat(153 * (most + 1)));
    const longest = lab.send(1, farmerPhone, "a".repeat(153 * most));
    queue(lab, most + 1);
    lab.until(29 * minute);
    expect(lab.statusOf(longest)).toBe("S");
    expect(lab.heard).toHaveLength(1 + most); // one pack has sent the long one, the other these
    lab.until(4 * hour);
    expect(lab.statusOf(tooLong)).toBe("Q");
    expect(lab.heard).toHaveLength(1 + most + 1);
    expect(lab.world.deviceStatus(1).pending).toEqual([tooLong]);
  });

  it("forgets at a restart what it has counted", () => {
    const lab = clinicWith({ packs: 1 });
    queue(lab, 70);
    lab.until(2 * minute);
    expect(lab.heard).toHaveLength(30);
    lab.at(2 * minute, { verb: "reboot", of: clinic, downMs: minute });
    lab.until(5 * minute);
    expect(lab.heard).toHaveLength(60);
  });

  it("is kept in every window, whatever the texts", () => {
    const texts = fc.array(fc.record({ afterMs: fc.nat(6 * minute), segments: fc.integer({ min: 1, max: 12 }) }), {
      minLength: 20,
      maxLength: 60,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 3 }), (all, packs) => {
        const lab = clinicWith({ packs, pollEveryMs: never, batch: 1000 });
        for (const { afterMs, segments } of all) {
          lab.until(lab.kernel.now + afterMs);
          lab.send(1, farmerPhone, "a".repeat(segments * 153 - 20));
        }
        lab.until(lab.kernel.now + 20 * hour);
        const sent = lab.heard.map(({ atMs, text }) => ({ atMs, segments: Math.ceil(text.length / 153) }));
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
