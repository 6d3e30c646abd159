import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import { smsServiceStates } from "../../src/world/index.js";
import {
  clinic,
  exact,
  exactClinic,
  farmerPhone,
  hour,
  Lab,
  castOf,
  handsets,
  carrier,
  minute,
  oneClinic,
  second,
  toldTime,
} from "./loop-back.js";

const tooMany = 103 * minute;
/** When try 2, 3, … 10 comes after the first. */
const ladder = [1, 2, 3, 8, 13, 28, 43, 73, 103].map((minutes) => minutes * minute);

describe("a message of the service", () => {
  it("is fetched, handed over, put on air, told as sent, shown, told as delivered", () => {
    const lab = exactClinic();
    const id = lab.send(1, farmerPhone, "hello");
    lab.until(1_199);
    expect(lab.world.holds(1, id)).toBe(false);
    lab.until(1_200);
    expect(lab.world.holds(1, id)).toBe(true);
    expect(lab.world.deviceStatus(1)).toMatchObject({ pending: [id], retry: [] });
    lab.until(minute);
    expect(lab.heard).toEqual([{ atMs: 5_200, person: 0, text: "hello", channel: 1 }]);
    expect(lab.received.map(({ atMs, report }) => ({ atMs, ...report }))).toMatchObject([
      { atMs: 3_300, type: "mt_sent", id },
      { atMs: 10_300, type: "mt_dlvd", id },
    ]);
    expect(lab.received.map(toldTime)).toEqual([3_200, 10_200]);
    expect(lab.statusOf(id)).toBe("S");
    expect(lab.world.deviceStatus(1)).toMatchObject({ pending: [], retry: [] });
    expect(lab.books.ends).toEqual(new Map([["texts delivered", 1]]));
  });

  it("takes the radio's time for each of its segments", () => {
    const lab = exactClinic();
    lab.send(1, farmerPhone, "a".repeat(161));
    lab.until(minute);
    expect(lab.reportsOf("mt_sent").map(toldTime)).toEqual([1_200 + 2 * 2_000]);
  });

  it("waits a second after the one before", () => {
    const lab = exactClinic();
    for (let one = 0; one < 3; one++) lab.send(1, farmerPhone, `${one}`);
    lab.until(minute);
    expect(lab.heard.map(({ atMs, text }) => [text, atMs])).toEqual([
      ["0", 5_200],
      ["1", 6_200],
      ["2", 7_200],
    ]);
  });

  it("gets the + that its number lacks", () => {
    const lab = exactClinic();
    lab.send(1, farmerPhone.slice(1), "hello");
    lab.until(minute);
    expect(lab.heard).toHaveLength(1);
  });

  it("to a number that nobody has is lost", () => {
    const lab = exactClinic();
    const id = lab.send(1, "+250000", "hello");
    lab.until(minute);
    expect(lab.books.losses).toEqual(new Map([["texts no-such-person", 1]]));
    expect(lab.statusOf(id)).toBe("S");
    expect(lab.reportsOf("mt_dlvd")).toEqual([]);
  });

  it("offered again while the phone has it goes out once", () => {
    const lab = exactClinic();
    const id = lab.send(1, farmerPhone, "hello", { push: false });
    for (let sync = 1; sync <= 3; sync++) {
      lab.reoffered.push(id);
      lab.at(sync * second, { verb: "sync", of: clinic, now: true });
      lab.until(sync * second + 100);
    }
    expect(lab.reoffered).toEqual([]);
    lab.until(minute);
    expect(lab.heard).toHaveLength(1);
  });

  it("offered again after its sent report is told as sent again, and as delivered if it was", () => {
    const lab = exactClinic();
    const id = lab.send(1, farmerPhone, "hello");
    const tellsWhenOfferedAgain = (atMs: number): string[] => {
      lab.until(atMs);
      lab.reoffered.push(id);
      lab.at(atMs, { verb: "sync", of: clinic, now: true });
      lab.until(atMs + second);
      const before = lab.received.length;
      lab.at(atMs + second, { verb: "sync", of: clinic, now: true });
      lab.until(atMs + 2 * second);
      return lab.received.slice(before).map(({ report }) => report.type);
    };
    expect(tellsWhenOfferedAgain(5 * second)).toEqual(["mt_sent"]); // told as sent at 3.3 s
    expect(tellsWhenOfferedAgain(20 * second)).toEqual(["mt_sent", "mt_dlvd"]); // as delivered at 10.3 s
    lab.until(hour);
    expect(lab.heard).toHaveLength(1);
  });

  it("is sent anew when it is offered after the phone has forgotten it", () => {
    const lab = exactClinic({ historyRows: 2 });
    const id = lab.send(1, farmerPhone, "first");
    for (let one = 0; one < 3; one++) lab.send(1, farmerPhone, "other");
    lab.until(minute);
    lab.reoffered.push(id);
    lab.at(minute, { verb: "sync", of: clinic, now: true });
    lab.until(2 * minute);
    expect(lab.heard.map(({ text }) => text)).toEqual(["first", "other", "other", "other", "first"]);
    expect(lab.books.copies).toEqual(new Map([["texts resent", 1]]));
    expect(lab.gap("texts")).toBe(0);
  });

  it("waits on the phone while it is off, and goes out on return", () => {
    const lab = exactClinic();
    lab.at(second, { verb: "sms-service", of: clinic, state: "no-service", forMs: 5 * minute });
    const id = lab.send(1, farmerPhone, "hello");
    lab.at(30 * second, { verb: "reboot", of: clinic, downMs: 20 * minute });
    lab.until(20 * minute);
    expect(lab.world.holds(1, id)).toBe(true);
    lab.until(21 * minute);
    expect(lab.statusOf(id)).toBe("S");
    expect(lab.heard).toHaveLength(1);
  });
});

describe("the ladder of tries", () => {
  it.each(smsServiceStates.filter((state) => state !== "ok"))("ends with F after 103 min of %s", (state) => {
    const lab = exactClinic();
    lab.at(0, { verb: "sms-service", of: clinic, state });
    const id = lab.send(1, farmerPhone, "hello");
    lab.until(1_200 + tooMany - 1);
    expect(lab.world.deviceStatus(1)).toMatchObject({ pending: [], retry: [id] });
    expect(lab.statusOf(id)).toBe("Q");
    lab.until(1_200 + tooMany + 100);
    expect(lab.reportsOf("mt_fail").map(toldTime)).toEqual([1_200 + tooMany]);
    expect(lab.statusOf(id)).toBe("F");
    lab.until(10 * hour);
    expect(lab.books.ends).toEqual(new Map([["texts failed", 1]]));
    expect(lab.received).toHaveLength(1);
    expect(lab.world.deviceStatus(1)).toMatchObject({ pending: [], retry: [] });
  });

  it.each(ladder.map((afterMs, index) => ({ number: index + 2, afterMs })))(
    "try $number comes $afterMs ms after the first",
    ({ afterMs }) => {
      const lab = exactClinic();
      lab.at(0, { verb: "sms-service", of: clinic, state: "generic-failure" });
      const id = lab.send(1, farmerPhone, "hello");
      lab.at(1_200 + afterMs - 1, { verb: "sms-service", of: clinic, state: "ok" });
      lab.until(10 * hour);
      expect(lab.reportsOf("mt_sent").map(toldTime)).toEqual([1_200 + afterMs + 2 * second]);
      expect(lab.reportsOf("mt_fail")).toEqual([]);
      expect(lab.statusOf(id)).toBe("S");
    },
  );

  it("counts each wait from the try's failure", () => {
    const lab = exactClinic({ failedAfter: fixed(10 * second) });
    lab.at(0, { verb: "sms-service", of: clinic, state: "limit" });
    lab.send(1, farmerPhone, "hello");
    lab.until(3 * hour);
    expect(lab.reportsOf("mt_fail").map(toldTime)).toEqual([1_200 + tooMany + 10 * 10 * second]);
  });

  it("ends as the profile says", () => {
    const lab = exactClinic({ retryWaitsMs: [minute] });
    lab.at(0, { verb: "sms-service", of: clinic, state: "limit" });
    lab.send(1, farmerPhone, "hello");
    lab.until(hour);
    expect(lab.reportsOf("mt_fail").map(toldTime)).toEqual([1_200 + minute]);
  });

  it("sends others while one waits", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "sms-service", of: clinic, state: "limit", forMs: 10 * second });
    const first = lab.send(1, farmerPhone, "first");
    lab.until(20 * second);
    const next = lab.send(1, farmerPhone, "second");
    lab.until(hour);
    expect(lab.heard.map(({ text }) => text)).toEqual(["second", "first"]);
    expect([lab.statusOf(first), lab.statusOf(next)]).toEqual(["S", "S"]);
  });

  it("2017: the runner looks each minute; 2024: after the ten-minute syncs only", () => {
    const failedAt = (name: string, pollEveryMs: number): number => {
      const lab = oneClinic({ profile: exact({ pollEveryMs }, name) });
      lab.at(0, { verb: "sms-service", of: clinic, state: "generic-failure" });
      lab.send(1, farmerPhone, "hello");
      lab.until(5 * hour);
      return lab.reportsOf("mt_fail").map(toldTime)[0] ?? NaN;
    };
    const ticking = failedAt("2017", minute);
    expect(ticking).toBeGreaterThan(1_200 + tooMany);
    expect(ticking).toBeLessThan(1_200 + tooMany + 10 * minute);
    const polling = failedAt("2024", 10 * minute);
    expect(polling).toBeGreaterThan(140 * minute);
    expect(polling).toBeLessThanOrEqual(151 * minute);
  });

  it("a try that was under way when the phone went off counts as failed", () => {
    const lab = exactClinic();
    const id = lab.send(1, farmerPhone, "hello");
    lab.at(2 * second, { verb: "reboot", of: clinic, downMs: 10 * second });
    lab.until(15 * second);
    expect(lab.world.deviceStatus(1)).toMatchObject({ pending: [], retry: [id] });
    lab.until(2 * minute);
    expect(lab.reportsOf("mt_sent").map(toldTime)).toEqual([2 * second + minute + 2 * second]);
    expect(lab.heard).toHaveLength(1);
  });

  it("a radio that answers after a restart does not answer for the next try", () => {
    // 40 segments take 80 s; the next try comes after 60 s and takes 80 s of its own
    const lab = exactClinic();
    lab.send(1, farmerPhone, "a".repeat(153 * 40));
    lab.at(2 * second, { verb: "reboot", of: clinic, downMs: second });
    lab.until(10 * minute);
    expect(lab.reportsOf("mt_sent").map(toldTime)).toEqual([2 * second + minute + 80 * second]);
  });
});

describe("delivery reports", () => {
  const labWith = (changes: Partial<typeof carrier>): Lab =>
    new Lab(castOf({ carriers: [{ ...carrier, ...changes }], handsets: [handsets({ profile: exact() })] }));

  it("come for the share that the carrier reports", () => {
    const lab = labWith({ reportsDelivery: 0.3 });
    for (let one = 0; one < 400; one++) lab.send(1, farmerPhone, "hello");
    lab.until(hour);
    expect(lab.reportsOf("mt_sent")).toHaveLength(400);
    expect(lab.heard).toHaveLength(400);
    expect(lab.reportsOf("mt_dlvd").length).toBeGreaterThan(90);
    expect(lab.reportsOf("mt_dlvd").length).toBeLessThan(150);
  });

  it("come for no text that the carrier lost", () => {
    const lab = labWith({ loses: 1 });
    const id = lab.send(1, farmerPhone, "hello");
    lab.until(hour);
    expect(lab.statusOf(id)).toBe("S");
    expect(lab.reportsOf("mt_dlvd")).toEqual([]);
    expect(lab.books.losses).toEqual(new Map([["texts carrier", 1]]));
  });

  it("come once for a text that the carrier doubled", () => {
    const lab = labWith({ duplicates: 1 });
    lab.send(1, farmerPhone, "hello");
    lab.until(hour);
    expect(lab.heard).toHaveLength(2);
    expect(lab.reportsOf("mt_dlvd")).toHaveLength(1);
    expect(lab.books.copies).toEqual(new Map([["texts carrier", 1]]));
    expect(lab.books.ends).toEqual(new Map([["texts delivered", 2]]));
  });

  it("wait at the carrier for a phone that is off", () => {
    const lab = labWith({});
    lab.send(1, farmerPhone, "hello");
    lab.at(6 * second, { verb: "reboot", of: clinic, downMs: hour });
    lab.until(2 * hour);
    expect(lab.reportsOf("mt_dlvd").map(toldTime)).toEqual([6 * second + hour + 10 * second]);
  });
});
