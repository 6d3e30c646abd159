import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import { type HandsetGroup, networkTypes, type Profile } from "../../src/world/index.js";
import { clinic, exact, hour, oneClinic, startsAtMs, type WorldRig } from "../support/world-rig.js";

const noLinkDrain = Object.fromEntries(networkTypes.map((type) => [type, 0])) as Profile["linkDrainPerHour"];
const day = 24 * hour;
/** Kigali: the sun rises at about 4:05 UTC and sets at about 16:10 UTC. */
const kigali = { lat: -1.95, lon: 30.06 };
/** Midnight UTC of the rig's first day, in virtual time. */
const midnight = -(startsAtMs % day);
/** Virtual time of an hour of the first day (0) or a later one, UTC. */
const at = (hours: number, days = 0): number => midnight + days * day + hours * hour;

/** On battery at 50 %, using 2 points an hour; its panel gives 20 under a high sun. */
function onSolar(group: Partial<HandsetGroup> = {}, changes: Partial<Profile> = {}): WorldRig {
  const numbers = {
    drainPerHour: 2,
    chargePerHour: 25,
    drainPerSync: 0,
    drainPerText: 0,
    bootLevel: 3,
    taperFrom: 100,
  };
  const profile = exact({ ...numbers, linkDrainPerHour: noLinkDrain, bootMs: 60_000, ...changes });
  return oneClinic({ profile, mains: false, battery: fixed(50), place: kigali, solar: fixed(20), ...group });
}

const levelOf = (rig: WorldRig): number => rig.world.inspectHandset(1).power.level;
const sunOf = (rig: WorldRig): number => rig.world.inspectHandset(1).power.solarPerHour;
const statusOf = (rig: WorldRig): string[] => {
  const { powerSource, powerStatus } = rig.world.deviceStatus(1);
  return [powerSource, powerStatus];
};

describe("a solar panel", () => {
  it("charges by the height of the sun, and by night the battery drains", () => {
    const rig = onSolar();
    const yields = [6, 8, 10, 12, 14, 15.9, 16.5, 22].map((hours) => sunOf(rig.until(at(hours))));
    expect(yields[2]).toBeGreaterThan(18);
    expect(yields[0]).toBeGreaterThan(5);
    expect(yields[0]).toBeLessThan(10);
    expect(yields[4]).toBeLessThan(12);
    expect(yields.slice(6)).toEqual([0, 0]);
    expect(statusOf(rig)).toEqual(["BAT", "DIS"]);
    const evening = levelOf(rig);
    expect(evening).toBeCloseTo(100 - 2 * 6.3, -0.5);
    expect(levelOf(rig.until(at(27)))).toBeCloseTo(evening - 10, 5);
    expect(sunOf(rig.until(at(3.9, 1)))).toBe(0);
    expect(sunOf(rig.until(at(4.3, 1)))).toBeGreaterThan(0);
  });

  it("is reported as USB: charging, full, or not charging where the phone uses more", () => {
    const rig = onSolar();
    expect(statusOf(rig.until(at(7)))).toEqual(["USB", "CHA"]);
    expect(statusOf(rig.until(at(12)))).toEqual(["USB", "FUL"]);
    expect(statusOf(rig.until(at(16)))).toEqual(["USB", "NOT"]);
  });

  it("gives less on a dull day, and under clouds that vary another yield each day", () => {
    const rig = onSolar({}, { chargePerHour: 100 });
    const clear = sunOf(rig.until(at(10)));
    rig.at(at(10), { verb: "solar", of: clinic, clouds: fixed(100), forMs: day });
    expect(sunOf(rig)).toBeCloseTo(clear / 4, 1);
    expect(sunOf(rig.until(at(10.1, 1)))).toBeCloseTo(clear, 0);
    const clouds = { kind: "uniform", min: 0, max: 100, whole: false } as const;
    const noons = (one: WorldRig): number[] => [0, 1, 2, 3, 4].map((days) => sunOf(one.until(at(10, days))));
    const changing = noons(onSolar({ clouds }));
    expect(new Set(changing).size).toBe(5);
    expect(noons(onSolar({ clouds }))).toEqual(changing);
  });

  it("starts a phone again that has died in the night", () => {
    const rig = onSolar({ battery: fixed(8) }, { drainPerHour: 4 });
    rig.at(at(8), { verb: "solar", of: clinic, perHour: 0, forMs: 10 * hour });
    expect(rig.until(at(3, 1)).world.inspectHandset(1).power.isOn).toBe(false);
    const { isOn } = rig.until(at(9, 1)).world.inspectHandset(1).power;
    expect(isOn).toBe(true);
  });

  it("does nothing while there are mains, and serves in a power cut", () => {
    const rig = onSolar({ mains: true });
    expect(statusOf(rig.until(at(8)))[0]).toBe("AC");
    rig.at(at(8), { verb: "power-cut", of: clinic, forMs: 2 * hour });
    expect(statusOf(rig)).toEqual(["USB", "FUL"]);
  });

  it("needs few timers", () => {
    const steps = (group: Partial<HandsetGroup>): number => {
      const rig = onSolar(group);
      let count = 0;
      while (rig.kernel.nextAtMs <= 10 * day) {
        rig.kernel.step();
        count++;
      }
      return count;
    };
    expect(steps({}) - steps({ solar: undefined })).toBeLessThan(10 * 55);
  });
});
