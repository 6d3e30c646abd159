import { describe, expect, it } from "vitest";
import { Service } from "./service.js";

const minute = 60_000;
const alarms = (service: Service): [atMs: number, level: string][] =>
  service.emissions.map(({ atMs }, index) => [atMs, service.events[index]?.["power_level"] ?? ""]);

describe("silence", () => {
  it("raises an alarm at the first check after more than 30 minutes, once, with the values of the last sync", () => {
    const service = new Service();
    service.passTo(90_000);
    service.sync(1, [], { powerLevel: 55, networkType: "UMTS", pending: [7, 8], retry: [9] });
    service.sync(2);
    service.passTo(31 * minute);
    expect(service.emissions).toHaveLength(0);
    service.sync(2);
    service.passTo(3 * 60 * minute);
    expect(service.events[0]).toMatchObject({
      event: "alarm",
      relayer: "1",
      power_level: "55",
      power_status: "DISCHARGING",
      power_source: "BATTERY",
      network_type: "UMTS",
      pending_message_count: "2",
      retry_message_count: "1",
      last_seen: "2026-03-04T06:01:30.000",
    });
    expect(service.emissions.map(({ atMs, channel }) => [atMs, channel])).toEqual([
      [32 * minute, 1],
      [62 * minute, 2],
    ]);
  });

  it("raises none after exactly 30 minutes", () => {
    const service = new Service();
    service.passTo(30 * minute);
    expect(service.emissions).toEqual([]);
    service.passTo(31 * minute);
    expect(service.emissions).toHaveLength(2);
  });

  it("raises an alarm again after it has cleared", () => {
    const service = new Service();
    service.passTo(40 * minute);
    service.sync(1);
    service.passTo(100 * minute);
    expect(service.emissions.filter(({ channel }) => channel === 1).map(({ atMs }) => atMs)).toEqual([
      31 * minute,
      71 * minute,
    ]);
  });
});

describe("a low battery", () => {
  it("raises an alarm at the next check below 25 percent, once, and again after it has cleared", () => {
    const service = new Service();
    const stay = (atMs: number, powerLevel: number, powerStatus: "DIS" | "CHA" = "DIS"): void => {
      service.passTo(atMs);
      service.sync(1, [], { powerLevel, powerStatus });
      service.sync(2);
    };
    stay(10 * minute + 1, 25);
    stay(12 * minute + 1, 24);
    stay(14 * minute, 23);
    stay(20 * minute, 22, "CHA");
    stay(30 * minute, 21);
    stay(40 * minute, 80);
    expect(alarms(service)).toEqual([
      [13 * minute, "24"],
      [30 * minute, "21"],
    ]);
  });

  it("raises none while charging or full, and one where the phone does not know it", () => {
    const service = new Service();
    service.sync(1, [], { powerLevel: 3, powerStatus: "CHA" });
    service.passTo(minute);
    service.sync(1, [], { powerLevel: 3, powerStatus: "FUL" });
    service.passTo(2 * minute);
    service.passTo(3 * minute);
    expect(service.emissions).toEqual([]);
    service.sync(1, [], { powerLevel: -1, powerStatus: "UNK" });
    service.passTo(4 * minute);
    expect(service.emissions).toHaveLength(1);
  });

  it("and silence raise one alarm each", () => {
    const service = new Service();
    service.sync(1, [], { powerLevel: 9 });
    service.sync(2);
    service.passTo(31 * minute);
    const seen = service.emissions.toSorted((a, b) => a.atMs - b.atMs || a.channel - b.channel);
    expect(seen.map(({ atMs, channel }) => [atMs, channel])).toEqual([
      [0, 1],
      [31 * minute, 1],
      [31 * minute, 2],
    ]);
  });
});
