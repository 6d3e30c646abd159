import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import { isRefusal, smsServiceStates } from "../../src/world/index.js";
import {
  clinic,
  exact,
  exactClinic,
  farmerPhone,
  hour,
  WorldRig,
  castOf,
  handsets,
  carrier,
  minute,
  oneClinic,
  second,
  reportedTime,
} from "../support/world-rig.js";

const tooMany = 103 * minute;
/** When try 2, 3, … 10 comes after the first. */
const ladder = [1, 2, 3, 8, 13, 28, 43, 73, 103].map((minutes) => minutes * minute);

describe("a message of the service", () => {
  it("is fetched, handed to the radio, put on air, reported as sent, shown and reported as delivered", () => {
    const rig = exactClinic();
    const id = rig.send(1, farmerPhone, "hello");
    rig.until(1_199);
    expect(rig.world.holds(1, id)).toBe(false);
    rig.until(1_200);
    expect(rig.world.holds(1, id)).toBe(true);
    expect(rig.world.deviceStatus(1)).toMatchObject({ pending: [id], retry: [] });
    rig.until(minute);
    expect(rig.heard).toEqual([{ atMs: 5_200, person: 0, text: "hello", channel: 1 }]);
    expect(rig.received.map(({ atMs, report }) => ({ atMs, ...report }))).toMatchObject([
      { atMs: 3_300, type: "mt_sent", id },
      { atMs: 10_300, type: "mt_dlvd", id },
    ]);
    expect(rig.received.map(reportedTime)).toEqual([3_200, 10_200]);
    expect(rig.statusOf(id)).toBe("S");
    expect(rig.world.deviceStatus(1)).toMatchObject({ pending: [], retry: [] });
    expect(rig.tally.ends).toEqual(new Map([["texts delivered", 1]]));
  });

  it("takes the radio's time for each of its segments", () => {
    const rig = exactClinic();
    rig.send(1, farmerPhone, "a".repeat(161));
    rig.until(minute);
    expect(rig.reportsOf("mt_sent").map(reportedTime)).toEqual([1_200 + 2 * 2_000]);
  });

  it("is sent after the one before, since the radio sends one segment after the other", () => {
    const rig = exactClinic();
    for (let one = 0; one < 3; one++) rig.send(1, farmerPhone, `${one}`);
    rig.until(minute);
    expect(rig.heard.map(({ atMs, text }) => [text, atMs])).toEqual([
      ["0", 5_200],
      ["1", 7_200],
      ["2", 9_200],
    ]);
  });

  it("gets a + if its number lacks it", () => {
    const rig = exactClinic();
    rig.send(1, farmerPhone.slice(1), "hello");
    rig.until(minute);
    expect(rig.heard).toHaveLength(1);
  });

  it("to an unknown number is lost", () => {
    const rig = exactClinic();
    const id = rig.send(1, "+250000", "hello");
    rig.until(minute);
    expect(rig.tally.losses).toEqual(new Map([["texts no-such-person", 1]]));
    expect(rig.statusOf(id)).toBe("S");
    expect(rig.reportsOf("mt_dlvd")).toEqual([]);
  });

  it("offered again while the phone has it goes out once", () => {
    const rig = exactClinic();
    const id = rig.send(1, farmerPhone, "hello", { push: false });
    for (let sync = 1; sync <= 3; sync++) {
      rig.reoffered.push(id);
      rig.at(sync * second, { verb: "sync", of: clinic, now: true });
      rig.until(sync * second + 100);
    }
    expect(rig.reoffered).toEqual([]);
    rig.until(minute);
    expect(rig.heard).toHaveLength(1);
  });

  it("offered again after its sent report is reported as sent again, and as delivered if it was", () => {
    const rig = exactClinic();
    const id = rig.send(1, farmerPhone, "hello");
    const reportsWhenOfferedAgain = (atMs: number): string[] => {
      rig.until(atMs);
      rig.reoffered.push(id);
      rig.at(atMs, { verb: "sync", of: clinic, now: true });
      rig.until(atMs + second);
      const before = rig.received.length;
      rig.at(atMs + second, { verb: "sync", of: clinic, now: true });
      rig.until(atMs + 2 * second);
      return rig.received.slice(before).map(({ report }) => report.type);
    };
    expect(reportsWhenOfferedAgain(5 * second)).toEqual(["mt_sent"]); // reported as sent at 3.3 s
    expect(reportsWhenOfferedAgain(20 * second)).toEqual(["mt_sent", "mt_dlvd"]); // as delivered at 10.3 s
    rig.until(hour);
    expect(rig.heard).toHaveLength(1);
  });

  it("is sent again when the phone has forgotten it", () => {
    const rig = exactClinic({ historyRows: 2 });
    const id = rig.send(1, farmerPhone, "first");
    for (let one = 0; one < 3; one++) rig.send(1, farmerPhone, "other");
    rig.until(minute);
    rig.reoffered.push(id);
    rig.at(minute, { verb: "sync", of: clinic, now: true });
    rig.until(2 * minute);
    expect(rig.heard.map(({ text }) => text)).toEqual(["first", "other", "other", "other", "first"]);
    expect(rig.tally.copies).toEqual(new Map([["texts resent", 1]]));
    expect(rig.gap("texts")).toBe(0);
  });

  it("waits on the phone while it is off, and goes out on return", () => {
    const rig = exactClinic();
    rig.at(second, { verb: "sms-service", of: clinic, state: "no-service", forMs: 5 * minute });
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(30 * second, { verb: "reboot", of: clinic, downMs: 20 * minute });
    rig.until(20 * minute);
    expect(rig.world.holds(1, id)).toBe(true);
    rig.until(21 * minute);
    expect(rig.statusOf(id)).toBe("S");
    expect(rig.heard).toHaveLength(1);
  });
});

describe("the retry ladder", () => {
  it.each(smsServiceStates.filter(isRefusal))("ends with F after 103 min of %s", (state) => {
    const rig = exactClinic();
    rig.at(0, { verb: "sms-service", of: clinic, state });
    const id = rig.send(1, farmerPhone, "hello");
    rig.until(1_200 + tooMany - 1);
    expect(rig.world.deviceStatus(1)).toMatchObject({ pending: [], retry: [id] });
    expect(rig.statusOf(id)).toBe("Q");
    rig.until(1_200 + tooMany + 100);
    expect(rig.reportsOf("mt_fail").map(reportedTime)).toEqual([1_200 + tooMany]);
    expect(rig.statusOf(id)).toBe("F");
    rig.until(10 * hour);
    expect(rig.tally.ends).toEqual(new Map([["texts failed", 1]]));
    expect(rig.received).toHaveLength(1);
    expect(rig.world.deviceStatus(1)).toMatchObject({ pending: [], retry: [] });
  });

  it.each(ladder.map((afterMs, index) => ({ number: index + 2, afterMs })))(
    "try $number comes $afterMs ms after the first",
    ({ afterMs }) => {
      const rig = exactClinic();
      rig.at(0, { verb: "sms-service", of: clinic, state: "generic-failure" });
      const id = rig.send(1, farmerPhone, "hello");
      rig.at(1_200 + afterMs - 1, { verb: "sms-service", of: clinic, state: "ok" });
      rig.until(10 * hour);
      expect(rig.reportsOf("mt_sent").map(reportedTime)).toEqual([1_200 + afterMs + 2 * second]);
      expect(rig.reportsOf("mt_fail")).toEqual([]);
      expect(rig.statusOf(id)).toBe("S");
    },
  );

  it("counts each wait from the try's failure", () => {
    const rig = exactClinic({ failedAfter: fixed(10 * second) });
    rig.at(0, { verb: "sms-service", of: clinic, state: "limit" });
    rig.send(1, farmerPhone, "hello");
    rig.until(3 * hour);
    expect(rig.reportsOf("mt_fail").map(reportedTime)).toEqual([1_200 + tooMany + 10 * 10 * second]);
  });

  it("ends after the tries of the profile", () => {
    const rig = exactClinic({ retryWaitsMs: [minute] });
    rig.at(0, { verb: "sms-service", of: clinic, state: "limit" });
    rig.send(1, farmerPhone, "hello");
    rig.until(hour);
    expect(rig.reportsOf("mt_fail").map(reportedTime)).toEqual([1_200 + minute]);
  });

  it("sends other messages while one waits", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "sms-service", of: clinic, state: "limit", forMs: 10 * second });
    const first = rig.send(1, farmerPhone, "first");
    rig.until(20 * second);
    const next = rig.send(1, farmerPhone, "second");
    rig.until(hour);
    expect(rig.heard.map(({ text }) => text)).toEqual(["second", "first"]);
    expect([rig.statusOf(first), rig.statusOf(next)]).toEqual(["S", "S"]);
  });

  it("2017: the runner runs each minute; 2024: after the ten-minute syncs only", () => {
    const failedAt = (name: string, pollEveryMs: number): number => {
      const rig = oneClinic({ profile: exact({ pollEveryMs }, name) });
      rig.at(0, { verb: "sms-service", of: clinic, state: "generic-failure" });
      rig.send(1, farmerPhone, "hello");
      rig.until(5 * hour);
      return rig.reportsOf("mt_fail").map(reportedTime)[0] ?? NaN;
    };
    const ticking = failedAt("2017", minute);
    expect(ticking).toBeGreaterThan(1_200 + tooMany);
    expect(ticking).toBeLessThan(1_200 + tooMany + 10 * minute);
    const polling = failedAt("2024", 10 * minute);
    expect(polling).toBeGreaterThan(140 * minute);
    expect(polling).toBeLessThanOrEqual(151 * minute);
  });

  it("a try that was under way when the phone went off counts as failed", () => {
    const rig = exactClinic();
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(2 * second, { verb: "reboot", of: clinic, downMs: 10 * second });
    rig.until(15 * second);
    expect(rig.world.deviceStatus(1)).toMatchObject({ pending: [], retry: [id] });
    rig.until(2 * minute);
    expect(rig.reportsOf("mt_sent").map(reportedTime)).toEqual([2 * second + minute + 2 * second]);
    expect(rig.heard).toHaveLength(1);
  });

  it("a radio that answers after a restart does not answer for the next try", () => {
    // 40 segments take 80 s; the next try comes after 60 s and takes another 80 s
    const rig = exactClinic();
    rig.send(1, farmerPhone, "a".repeat(153 * 40));
    rig.at(2 * second, { verb: "reboot", of: clinic, downMs: second });
    rig.until(10 * minute);
    expect(rig.reportsOf("mt_sent").map(reportedTime)).toEqual([2 * second + minute + 80 * second]);
  });
});

describe("delivery reports", () => {
  const labWith = (changes: Partial<typeof carrier>): WorldRig =>
    new WorldRig(castOf({ carriers: [{ ...carrier, ...changes }], handsets: [handsets({ profile: exact() })] }));

  it("come for the share that the carrier reports", () => {
    const rig = labWith({ reportsDelivery: 0.3 });
    for (let one = 0; one < 400; one++) rig.send(1, farmerPhone, "hello");
    rig.until(hour);
    expect(rig.reportsOf("mt_sent")).toHaveLength(400);
    expect(rig.heard).toHaveLength(400);
    expect(rig.reportsOf("mt_dlvd").length).toBeGreaterThan(90);
    expect(rig.reportsOf("mt_dlvd").length).toBeLessThan(150);
  });

  it("come for no text that the carrier lost", () => {
    const rig = labWith({ loses: 1 });
    const id = rig.send(1, farmerPhone, "hello");
    rig.until(hour);
    expect(rig.statusOf(id)).toBe("S");
    expect(rig.reportsOf("mt_dlvd")).toEqual([]);
    expect(rig.tally.losses).toEqual(new Map([["texts carrier", 1]]));
  });

  it("come once for a text that the carrier duplicated", () => {
    const rig = labWith({ duplicates: 1 });
    rig.send(1, farmerPhone, "hello");
    rig.until(hour);
    expect(rig.heard).toHaveLength(2);
    expect(rig.reportsOf("mt_dlvd")).toHaveLength(1);
    expect(rig.tally.copies).toEqual(new Map([["texts carrier", 1]]));
    expect(rig.tally.ends).toEqual(new Map([["texts delivered", 2]]));
  });

  it("wait at the carrier for a phone that is off", () => {
    const rig = labWith({});
    rig.send(1, farmerPhone, "hello");
    rig.at(6 * second, { verb: "reboot", of: clinic, downMs: hour });
    rig.until(2 * hour);
    expect(rig.reportsOf("mt_dlvd").map(reportedTime)).toEqual([6 * second + hour + 10 * second]);
  });
});
