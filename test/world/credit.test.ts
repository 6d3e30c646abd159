import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import {
  castOf,
  clinic,
  exact,
  exactClinic,
  farmerPhone,
  handsets,
  hour,
  minute,
  traffic,
  WorldRig,
} from "../support/world-rig.js";

const heard = (rig: WorldRig): string[] => rig.heard.map(({ text }) => text);

describe("the credit of a SIM", () => {
  it("is used up by segments; then each send is a generic failure, until a top-up", () => {
    const rig = exactClinic({ retryWaitsMs: [minute, 30 * minute] }, { credit: 2 });
    for (const text of ["one", "two", "three"]) rig.send(1, farmerPhone, text);
    rig.until(10 * minute);
    expect(heard(rig)).toEqual(["one", "two"]);
    expect(rig.world.inspectHandset(1).credit).toBe(0);
    rig.at(20 * minute, { verb: "credit", of: clinic, adds: 5 });
    rig.until(hour);
    expect(heard(rig)).toEqual(["one", "two", "three"]);
    expect(rig.world.inspectHandset(1).credit).toBe(4);
    expect(rig.gap("texts")).toBe(0);
  });

  it("is named as the cause of the delay", () => {
    const rig = exactClinic({ retryWaitsMs: [minute] }, { credit: 0 });
    rig.send(1, farmerPhone, "one");
    rig.at(30 * 1000, { verb: "credit", of: clinic, units: 1 });
    rig.until(hour);
    const delays = rig.syncs.flatMap(({ body }) => (body.origins ?? []).flatMap((origin) => origin.delays ?? []));
    expect(delays[0]).toMatchObject({ kind: "radio-failed", why: "no-credit", times: 1 });
    expect(heard(rig)).toEqual(["one"]);
  });

  it("that lasts for a part of a text puts that part on air, and the text fails", () => {
    const rig = exactClinic({ retryWaitsMs: [] }, { credit: 2 });
    const id = rig.send(1, farmerPhone, "x".repeat(400));
    rig.until(hour);
    expect(rig.statusOf(id)).toBe("F");
    expect(rig.heard.map(({ text }) => text.length)).toEqual([306]);
    expect(rig.gap("texts")).toBe(0);
  });

  it("has no limit where the group names none", () => {
    const rig = exactClinic();
    for (let one = 0; one < 50; one++) rig.send(1, farmerPhone, `text ${one}`);
    rig.until(hour);
    expect(heard(rig)).toHaveLength(50);
    expect(rig.world.inspectHandset(1).credit).toBeNull();
  });

  it("is used up earlier by more traffic", () => {
    const endsAtMs = (perHour: number): number => {
      const spec = traffic({ kind: "sends", body: fixed("hi"), shape: { kind: "constant", perMs: perHour / hour } });
      const rig = new WorldRig(castOf({ handsets: [handsets({ profile: exact(), credit: 30 })], traffic: [spec] }));
      for (let atMs = 0; atMs < 10 * hour; atMs += minute) {
        if (rig.until(atMs).world.inspectHandset(1).credit === 0) return atMs;
      }
      return Infinity;
    };
    const slow = endsAtMs(10);
    const fast = endsAtMs(30);
    expect(slow).toBeGreaterThan(2 * hour);
    expect(fast).toBeGreaterThan(30 * minute);
    expect(fast).toBeLessThan(slow / 2);
  });
});
