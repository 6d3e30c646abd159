import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import { type HandsetGroup, networkTypes, type Profile } from "../../src/world/index.js";
import {
  clinic,
  exact,
  farmerPhone,
  hour,
  type WorldRig,
  minute,
  oneClinic,
  second,
  text,
  textsReported,
  reportedTime,
} from "../support/world-rig.js";

const noLinkDrain = Object.fromEntries(networkTypes.map((type) => [type, 0])) as Profile["linkDrainPerHour"];

/** On battery at 80 %, draining 10 points an hour, whatever it does; charging 30; booting in a minute at 3 %. */
function clinicOnBattery(changes: Partial<Profile> = {}, group: Partial<HandsetGroup> = {}): WorldRig {
  const numbers = { drainPerHour: 10, chargePerHour: 30, drainPerSync: 0, drainPerText: 0, bootLevel: 3 };
  const profile = exact({ ...numbers, linkDrainPerHour: noLinkDrain, bootMs: minute, ...changes });
  return oneClinic({ profile, mains: false, ...group });
}

function levelAt(rig: WorldRig, atMs: number): number {
  return rig.until(atMs).world.deviceStatus(1).powerLevel;
}

describe("the battery", () => {
  it("drains by the hour and charges on mains", () => {
    const rig = clinicOnBattery();
    expect([0, 1, 2, 4].map((hours) => levelAt(rig, hours * hour))).toEqual([80, 70, 60, 40]);
    rig.at(4 * hour, { verb: "power", of: clinic, mains: true });
    expect([4.5, 5, 6, 20].map((hours) => levelAt(rig, hours * hour))).toEqual([55, 70, 100, 100]);
  });

  it("reports its status", () => {
    const seen = (rig: WorldRig): unknown[] => {
      const { powerSource, powerStatus } = rig.world.deviceStatus(1);
      return [powerSource, powerStatus];
    };
    const rig = clinicOnBattery();
    expect(seen(rig)).toEqual(["BAT", "DIS"]);
    rig.at(hour, { verb: "power", of: clinic, mains: true });
    expect(seen(rig)).toEqual(["AC", "CHA"]);
    expect(seen(rig.until(2 * hour))).toEqual(["AC", "FUL"]);
    rig.at(2 * hour, { verb: "power", of: clinic, mains: false });
    expect(seen(rig)).toEqual(["BAT", "DIS"]);
    const weak = clinicOnBattery({ chargePerHour: 0 }, { mains: true });
    expect(seen(weak)).toEqual(["AC", "NOT"]);
    expect(levelAt(weak, 10 * hour)).toBe(80);
  });

  it("drains by the type of link, and less in airplane mode", () => {
    const linkDrainPerHour = { ...noLinkDrain, GPRS: 1, EDGE: 2, UMTS: 3, HSPA: 4, LTE: 5, WIFI: 6 };
    const lost = (network: HandsetGroup["network"]): number =>
      80 - levelAt(clinicOnBattery({ linkDrainPerHour }, { network }), hour);
    expect((["none", "GPRS", "EDGE", "UMTS", "HSPA", "LTE", "WIFI"] as const).map(lost)).toEqual([
      10, 11, 12, 13, 14, 15, 16,
    ]);
    const rig = clinicOnBattery({ linkDrainPerHour });
    rig.at(0, { verb: "airplane", of: clinic });
    expect(levelAt(rig, hour)).toBe(70);
  });

  it("drains with each sync, each segment in and out", () => {
    const rig = clinicOnBattery({ drainPerHour: 0, drainPerSync: 1 });
    for (let one = 0; one < 5; one++) rig.at(one * minute, { verb: "sync", of: clinic, now: true });
    expect(levelAt(rig, hour)).toBe(75);
    const inbound = clinicOnBattery({ drainPerHour: 0, drainPerText: 1 });
    inbound.at(0, text("a".repeat(459)));
    expect(levelAt(inbound, hour)).toBe(77);
    const outbound = clinicOnBattery({ drainPerHour: 0, drainPerText: 1 });
    outbound.send(1, farmerPhone, "a".repeat(459));
    expect(levelAt(outbound, hour)).toBe(77);
    const plugged = clinicOnBattery({ drainPerSync: 1, chargePerHour: 0 }, { mains: true });
    plugged.at(0, { verb: "sync", of: clinic, now: true });
    expect(levelAt(plugged, hour)).toBe(80);
  });

  it("can be set to a level", () => {
    const rig = clinicOnBattery();
    rig.at(hour, { verb: "battery", of: clinic, level: 9 });
    expect(levelAt(rig, hour)).toBe(9);
    expect(levelAt(rig, 1.5 * hour)).toBe(4);
  });

  it("starts as the cast says, within 0..100", () => {
    const rig = clinicOnBattery({}, { count: 300, battery: { kind: "uniform", min: 55, max: 100, whole: false } });
    const levels = Array.from({ length: 300 }, (_, index) => rig.world.deviceStatus(index + 1).powerLevel);
    expect(Math.min(...levels)).toBeGreaterThanOrEqual(55);
    expect(Math.max(...levels)).toBeLessThanOrEqual(100);
    expect(new Set(levels).size).toBeGreaterThan(35);
    expect(levelAt(clinicOnBattery({}, { battery: fixed(140) }), 0)).toBe(100);
  });
});

describe("a phone whose battery is empty", () => {
  it("dies at 0, to the millisecond, without a last report", () => {
    const rig = clinicOnBattery();
    rig.until(8 * hour - 1);
    expect(rig.world.progress().off).toBe(0);
    rig.until(8 * hour);
    expect(rig.world.progress().off).toBe(1);
    expect(rig.syncs).toEqual([]);
    expect(levelAt(rig, 50 * hour)).toBe(0);
  });

  it("can die in the middle of an action", () => {
    const rig = clinicOnBattery({ drainPerHour: 0, drainPerSync: 30 });
    for (let one = 1; one <= 3; one++) rig.at(one * minute, { verb: "sync", of: clinic, now: true });
    rig.until(hour);
    expect(rig.syncs).toHaveLength(2);
    expect(rig.world.progress().off).toBe(1);
  });

  it("neither syncs, sends nor receives while it is dead", () => {
    const rig = clinicOnBattery({ pollEveryMs: 10 * minute });
    rig.until(8 * hour + second);
    const before = rig.syncs.length;
    expect(before).toBe(48);
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(9 * hour, text("are you there?"));
    rig.at(9 * hour, { verb: "sync", of: clinic, now: true });
    rig.until(30 * hour);
    expect(rig.syncs).toHaveLength(before);
    expect(rig.statusOf(id)).toBe("Q");
    expect(rig.world.census().texts).toBe(1);
    expect(rig.gap("texts")).toBe(0);
  });

  it("boots a minute after the mains have charged it to 3 %, and gets its backlog", () => {
    const rig = clinicOnBattery();
    rig.until(7.9 * hour);
    rig.at(7.9 * hour, { verb: "network", of: clinic, type: "none" });
    rig.at(7.9 * hour, text("before")); // read, but not reported
    rig.at(7.95 * hour, { verb: "sms-service", of: clinic, state: "limit" });
    rig.at(7.95 * hour, { verb: "network", of: clinic, type: "LTE" });
    const id = rig.send(1, farmerPhone, "to be retried");
    rig.until(7.99 * hour);
    expect(rig.world.deviceStatus(1).retry).toEqual([id]);
    expect(textsReported(rig)).toEqual(["before"]);
    rig.at(9 * hour, text("meanwhile"));
    rig.at(9 * hour, { verb: "sms-service", of: clinic, state: "ok" });
    rig.at(10 * hour, { verb: "power", of: clinic, mains: true });
    const bootedAtMs = 10 * hour + 6 * minute + minute;
    rig.until(bootedAtMs - 1);
    expect(rig.world.progress().off).toBe(1);
    rig.until(bootedAtMs);
    expect(rig.world.progress().off).toBe(0);
    rig.until(12 * hour);
    expect(textsReported(rig)).toEqual(["before", "meanwhile"]);
    expect(rig.reportsOf("mo_sms").map(reportedTime)[1]).toBe(bootedAtMs + 10 * second);
    expect(rig.statusOf(id)).toBe("S");
    expect(rig.heard.map((one) => one.text)).toEqual(["to be retried"]);
  });

  it("keeps unacknowledged reports and sends them at the next boot", () => {
    const rig = clinicOnBattery();
    rig.at(7 * hour, { verb: "clock", of: clinic, skewMs: -20 * minute }); // the service refuses it
    for (let one = 0; one < 3; one++) rig.at((7.5 + one / 10) * hour, text(`${one}`));
    rig.at(8.5 * hour, { verb: "clock", of: clinic, skewMs: 0 });
    rig.at(9 * hour, { verb: "power", of: clinic, mains: true });
    rig.until(10 * hour);
    expect(textsReported(rig)).toEqual(["0", "1", "2"]);
    expect(rig.reportsOf("mo_sms")[0]?.atMs).toBe(9 * hour + 7 * minute + 100);
  });

  it("boots when its level is set", () => {
    const rig = clinicOnBattery();
    rig.at(9 * hour, { verb: "battery", of: clinic, level: 50 });
    rig.until(9 * hour + minute);
    expect(rig.world.progress().off).toBe(0);
    expect(rig.world.deviceStatus(1).powerLevel).toBe(50);
  });

  it("stays dead when the mains go again before it has charged enough", () => {
    const rig = clinicOnBattery();
    rig.at(9 * hour, { verb: "power", of: clinic, mains: true, forMs: 5 * minute });
    rig.until(20 * hour);
    expect(rig.world.progress().off).toBe(1);
    rig.at(20 * hour, { verb: "power", of: clinic, mains: true });
    rig.until(20 * hour + 2 * minute); // 2.5 % were left: another minute, and the boot
    expect(rig.world.progress().off).toBe(0);
  });

  it("does not restart its boot when another condition changes", () => {
    const rig = clinicOnBattery();
    rig.at(9 * hour, { verb: "power", of: clinic, mains: true });
    rig.at(9 * hour + 6.5 * minute, { verb: "network", of: clinic, type: "WIFI" });
    rig.at(9 * hour + 6.9 * minute, { verb: "coverage", of: clinic, state: "none", forMs: minute });
    rig.until(9 * hour + 7 * minute);
    expect(rig.world.progress().off).toBe(0);
  });

  it("does not boot when its level is taken away during the boot", () => {
    const rig = clinicOnBattery();
    rig.at(9 * hour, { verb: "battery", of: clinic, level: 50 });
    rig.at(9 * hour + 30 * second, { verb: "battery", of: clinic, level: 0 });
    rig.until(20 * hour);
    expect(rig.world.progress().off).toBe(1);
  });

  it("is off from the start with nothing in its battery", () => {
    const rig = clinicOnBattery({ pollEveryMs: minute }, { battery: fixed(0) });
    rig.until(hour);
    expect([rig.world.progress().off, rig.syncs.length]).toEqual([1, 0]);
  });

  it("does not live on from a reboot", () => {
    const rig = clinicOnBattery();
    rig.at(9 * hour, { verb: "reboot", of: clinic, downMs: minute });
    rig.until(20 * hour);
    expect(rig.world.progress().off).toBe(1);
  });
});

describe("what a phone charges from", () => {
  const rates = { chargePerHour: 30, usbChargePerHour: 10, wirelessChargePerHour: 15 };

  it.each([
    ["ac", "AC", 50],
    ["usb", "USB", 30],
    ["wireless", "WIR", 35],
  ] as const)("%s is reported as %s, at its own rate", (plug, powerSource, level) => {
    const rig = clinicOnBattery(rates, { battery: fixed(20) });
    rig.at(0, { verb: "power", of: clinic, mains: true, plug });
    rig.until(hour);
    expect(rig.world.deviceStatus(1)).toMatchObject({ powerSource, powerStatus: "CHA", powerLevel: level });
  });

  it("comes back after a time on battery, and after a charger for a time", () => {
    const rig = clinicOnBattery(rates, { mains: true, plug: "usb" });
    const source = (): string => rig.world.deviceStatus(1).powerSource;
    rig.at(0, { verb: "power", of: clinic, mains: false, forMs: minute });
    expect(source()).toBe("BAT");
    expect(rig.until(minute) && source()).toBe("USB");
    rig.at(2 * minute, { verb: "power", of: clinic, mains: true, plug: "ac", forMs: minute });
    expect(source()).toBe("AC");
    expect(rig.until(3 * minute) && source()).toBe("USB");
  });
});

describe("charging near full", () => {
  it("slows down from taperFrom on, and ends at 100 %", () => {
    const rig = clinicOnBattery({ chargePerHour: 20, taperFrom: 80 }, { battery: fixed(60), mains: true });
    expect(levelAt(rig, hour)).toBe(80);
    // 20 points at a mean of 40 % of the rate: 2.0 h. At 20 points an hour it would be 1 h.
    expect(levelAt(rig, 2 * hour)).toBe(94);
    expect(rig.world.deviceStatus(1).powerStatus).toBe("CHA");
    expect(levelAt(rig, 3 * hour + 2 * minute)).toBe(100);
    expect(rig.world.deviceStatus(1).powerStatus).toBe("FUL");
  });

  it("boots on time where the level for it is in the slow part", () => {
    const rig = clinicOnBattery(
      { chargePerHour: 20, taperFrom: 80, bootLevel: 90 },
      { battery: fixed(0), mains: true },
    );
    rig.at(0, { verb: "battery", of: clinic, level: 0 });
    rig.at(0, { verb: "power", of: clinic, mains: false });
    rig.at(0, { verb: "power", of: clinic, mains: true });
    rig.until(rig.world.inspectHandset(1).power.bootsAtMs ?? NaN);
    expect(rig.world.inspectHandset(1).power.level).toBeGreaterThanOrEqual(90);
  });
});

describe("a phone that searches for a network", () => {
  it("drains faster, unless it is in airplane mode or has coverage", () => {
    const rig = clinicOnBattery({ searchDrainPerHour: 5 });
    rig.at(0, { verb: "coverage", of: clinic, state: "none", forMs: hour });
    expect(levelAt(rig, hour)).toBe(65);
    expect(levelAt(rig, 2 * hour)).toBe(55);
    rig.at(2 * hour, { verb: "coverage", of: clinic, state: "none" });
    rig.at(2 * hour, { verb: "airplane", of: clinic });
    expect(levelAt(rig, 3 * hour)).toBe(45);
  });
});

describe("a battery that the phone does not know", () => {
  it.each([
    ["unknown", { powerSource: "BAT", powerStatus: "UNK", powerLevel: 80 }],
    ["none", { powerSource: "BAT", powerStatus: "UNK", powerLevel: -1 }],
  ] as const)("is reported for a time: %s", (reports, status) => {
    const rig = clinicOnBattery({ drainPerHour: 0 });
    rig.at(0, { verb: "battery", of: clinic, reports, forMs: minute });
    expect(rig.world.deviceStatus(1)).toMatchObject({ ...status, networkType: "LTE" });
    rig.until(minute);
    expect(rig.world.deviceStatus(1)).toMatchObject({ powerStatus: "DIS", powerLevel: 80 });
  });

  it("may be unknown from the start", () => {
    const rig = clinicOnBattery({}, { batteryReports: "none" });
    expect(rig.world.deviceStatus(1).powerLevel).toBe(-1);
  });
});
