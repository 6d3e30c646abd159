import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import { partsOf } from "../../src/wire/index.js";
import type { CarrierSpec, WorldInput } from "../../src/world/index.js";
import {
  carrier,
  castOf,
  clinic,
  exact,
  farmer,
  farmerPhone,
  handsets,
  hour,
  WorldRig,
  minute,
  second,
  text,
  textsReported,
  reportedTime,
} from "../support/world-rig.js";

function labWith(changes: Partial<CarrierSpec> = {}): WorldRig {
  return new WorldRig(castOf({ carriers: [{ ...carrier, ...changes }], handsets: [handsets({ profile: exact() })] }));
}

const outages: readonly { readonly what: string; readonly input: WorldInput; readonly backAfterMs: number }[] = [
  {
    what: "out of coverage",
    input: { verb: "coverage", of: clinic, state: "none", forMs: hour },
    backAfterMs: 10 * second,
  },
  { what: "in airplane mode", input: { verb: "airplane", of: clinic, forMs: hour }, backAfterMs: 10 * second },
  { what: "switched off", input: { verb: "reboot", of: clinic, downMs: hour }, backAfterMs: 10 * second },
];

describe("the carrier", () => {
  it("delivers a text after its delay", () => {
    const rig = labWith({ delay: fixed(7 * second) });
    rig.at(minute, text("hello"));
    rig.until(minute + 7 * second - 1);
    expect(rig.world.census()).toEqual({ texts: 1, calls: 0 });
    rig.until(hour);
    expect(rig.reportsOf("mo_sms").map(({ atMs, report }) => ({ atMs, report }))).toEqual([
      {
        atMs: minute + 7_100,
        report: {
          type: "mo_sms",
          phone: "+250781100000",
          text: "hello",
          timeMs: 1_772_600_400_000 + minute + 7_000,
        },
      },
    ]);
  });

  it("loses or duplicates the next texts when an input says so, and carries those after them", () => {
    const rig = labWith();
    rig.at(minute, { verb: "carrier", of: clinic, fate: "loses", way: "texts", times: 2 });
    for (const [index, body] of ["a", "b", "c"].entries()) rig.at((2 + index) * minute, text(body));
    rig.at(10 * minute, { verb: "carrier", of: clinic, fate: "duplicates", way: "texts", times: 1 });
    for (const [index, body] of ["d", "e"].entries()) rig.at((11 + index) * minute, text(body));
    rig.until(hour);
    expect(rig.reportsOf("mo_sms").map(({ report }) => textOf(report))).toEqual(["c", "d", "d", "e"]);
    expect(rig.tally.losses.get("texts carrier")).toBe(2);
  });

  it("draws a delay for each text, so that texts may overtake each other", () => {
    const rig = labWith({ delay: { kind: "uniform", min: 1 * second, max: 60 * second, whole: true } });
    for (let one = 0; one < 100; one++) rig.at(one * second, text(`${one}`));
    rig.until(hour);
    const delays = rig.reportsOf("mo_sms").map((one) => reportedTime(one) - Number(textOf(one.report)) * second);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(second);
    expect(Math.max(...delays)).toBeLessThanOrEqual(60 * second);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(40 * second);
    expect(textsReported(rig)).not.toEqual(textsReported(rig).toSorted((a, b) => Number(a) - Number(b)));
  });

  it("changes for a time, and is then as before", () => {
    const rig = labWith();
    rig.at(minute, { verb: "carrier-settings", carrier: "mtn", changes: { loses: 1 }, forMs: hour });
    rig.at(minute, { verb: "carrier-settings", carrier: "mtn", changes: { delay: fixed(30 * second) } });
    rig.at(2 * minute, text("lost"));
    rig.at(2 * hour, text("late"));
    rig.until(3 * hour);
    expect(textsReported(rig)).toEqual(["late"]);
    expect(rig.reportsOf("mo_sms").map(reportedTime)).toEqual([2 * hour + 30 * second]);
    expect(rig.tally.losses).toEqual(new Map([["texts carrier", 1]]));
  });

  it("queues what is beyond its capacity, in both directions, and loses nothing", () => {
    const rig = labWith({ carriesPerMs: 2 / minute });
    rig.world.trackTexts();
    for (let one = 0; one < 10; one++) rig.at(hour, text(`${one}`));
    rig.until(hour + 3 * second);
    expect(textsReported(rig)).toHaveLength(3); // what it carries in a minute, and the one that it is idle for
    expect(rig.world.carriedTexts(1).filter(({ held }) => held?.why === "congestion")).toHaveLength(7);
    rig.until(hour + 10 * minute);
    expect(textsReported(rig)).toEqual(Array.from({ length: 10 }, (_, one) => `${one}`));
    const last = rig.reportsOf("mo_sms").at(-1);
    expect(last?.atMs).toBe(hour + 3.5 * minute + 2 * second + 100);
    rig.send(1, farmerPhone, "hello");
    rig.until(2 * hour);
    expect(rig.heard).toHaveLength(1);
    expect(rig.gap("texts")).toBe(0);
  });

  it("delivers its queue at once when the congestion ends", () => {
    const rig = labWith();
    rig.at(hour, { verb: "carrier-settings", carrier: "mtn", changes: { carriesPerMs: 1 / hour }, forMs: 30 * minute });
    for (let one = 0; one < 10; one++) rig.at(hour, text(`${one}`));
    rig.until(hour + 30 * minute - 1);
    expect(textsReported(rig)).toHaveLength(1);
    rig.until(hour + 31 * minute);
    expect(textsReported(rig)).toHaveLength(10);
    expect(rig.gap("texts")).toBe(0);
  });

  it("drops texts that wait longer than it keeps them", () => {
    const rig = labWith({ expiresAfterMs: hour });
    rig.at(minute, { verb: "coverage", of: clinic, state: "none", forMs: 2 * hour });
    rig.at(2 * minute, text("early"));
    rig.at(90 * minute, text("later"));
    rig.until(3 * hour);
    expect(textsReported(rig)).toEqual(["later"]);
    expect(rig.tally.losses).toEqual(new Map([["texts expired", 1]]));
    expect([rig.gap("texts"), rig.world.isBusy]).toEqual([0, false]);
  });

  it.each(["parts", "shuffled"] as const)("brings long texts %s", (longTexts) => {
    const rig = labWith({ longTexts, delay: { kind: "uniform", min: second, max: minute, whole: true } });
    const words = Array.from({ length: 100 }, (_, word) => `word${word}`).join(" ");
    for (let one = 0; one < 20; one++) rig.at(one * 10 * minute, text(words));
    rig.until(4 * hour);
    const texts = textsReported(rig);
    expect(texts.join("").length).toBe(20 * words.length);
    if (longTexts === "parts") {
      expect(texts).toHaveLength(20 * 5);
      expect(Math.max(...texts.map((part) => part.length))).toBe(153);
      expect(rig.tally.copies.get("texts parts")).toBe(20 * 4);
      expect(texts.slice(0, 5).toSorted()).toEqual(partsOf(words).toSorted());
    } else {
      expect(texts).toHaveLength(20);
      expect(new Set(texts).size).toBeGreaterThan(10);
    }
    expect(rig.gap("texts")).toBe(0);
  });

  it("loses the configured share", () => {
    const rig = labWith({ loses: 0.2 });
    for (let one = 0; one < 1000; one++) rig.at(one * second, text("hello"));
    rig.until(hour);
    const lost = rig.tally.losses.get("texts carrier") ?? 0;
    expect(lost).toBeGreaterThan(150);
    expect(lost).toBeLessThan(250);
    expect(textsReported(rig)).toHaveLength(1000 - lost);
  });

  it("duplicates the configured share: a second text with a separate delay", () => {
    const rig = labWith({ duplicates: 0.2, delay: { kind: "uniform", min: 0, max: 9_000, whole: true } });
    for (let one = 0; one < 500; one++) rig.at(one * 10 * second, text(`${one}`));
    rig.until(2 * hour);
    const copies = rig.tally.copies.get("texts carrier") ?? 0;
    expect(copies).toBeGreaterThan(70);
    expect(copies).toBeLessThan(130);
    expect(textsReported(rig)).toHaveLength(500 + copies);
    const times = rig.reportsOf("mo_sms").map((one) => `${textOf(one.report)} ${reportedTime(one)}`);
    expect(new Set(times).size).toBeGreaterThan(500 + copies - 5);
  });

  it.each(outages)("keeps texts for a phone that is $what, and hands them over in their order", (outage) => {
    const rig = labWith();
    rig.at(0, outage.input);
    for (let one = 0; one < 20; one++) rig.at(minute + one * second, text(`${one}`));
    rig.until(hour - 1);
    expect(rig.world.census()).toEqual({ texts: 20, calls: 0 });
    // The poll after a boot makes the quiet rule stop the sync that the backlog asks for.
    rig.at(1.5 * hour, { verb: "sync", of: clinic, now: true });
    rig.until(2 * hour);
    const reported = rig.reportsOf("mo_sms").toSorted((a, b) => reportedTime(a) - reportedTime(b));
    expect(reported.map(({ report }) => textOf(report))).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`));
    expect(reported.map(reportedTime)).toEqual(
      Array.from({ length: 20 }, (_, index) => hour + outage.backAfterMs + index * 200),
    );
    expect(textsReported(rig)[0]).toBe("19"); // read newest first
    expect(rig.world.census()).toEqual({ texts: 0, calls: 0 });
  });

  it("queues texts that arrive during a backlog behind it", () => {
    const rig = labWith();
    rig.at(0, { verb: "coverage", of: clinic, state: "none", forMs: hour });
    for (let one = 0; one < 5; one++) rig.at(minute + one * second, text(`${one}`));
    rig.at(hour + 8_100, text("5")); // reaches the carrier 100 ms after the first of the backlog
    rig.until(2 * hour);
    const reported = rig.reportsOf("mo_sms").toSorted((a, b) => reportedTime(a) - reportedTime(b));
    expect(reported.map(({ report }) => textOf(report))).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(reported.map(reportedTime).at(-1)).toBe(hour + 10 * second + 5 * 200);
  });

  it("interrupts a backlog when the phone becomes unreachable, and continues it later", () => {
    const rig = labWith();
    rig.at(0, { verb: "coverage", of: clinic, state: "none", forMs: hour });
    for (let one = 0; one < 10; one++) rig.at(minute + one * second, text(`${one}`));
    rig.at(hour + 10 * second + 500, { verb: "coverage", of: clinic, state: "none", forMs: hour });
    rig.until(1.5 * hour);
    expect(textsReported(rig)).toEqual(["2", "1", "0"]);
    expect(rig.world.census().texts).toBe(7);
    rig.until(3 * hour);
    expect(textsReported(rig)).toEqual(["2", "1", "0", "9", "8", "7", "6", "5", "4", "3"]);
  });

  it("continues a backlog when the phone is back before the next text", () => {
    const rig = labWith();
    rig.at(0, { verb: "coverage", of: clinic, state: "none", forMs: hour });
    for (let one = 0; one < 10; one++) rig.at(minute + one * second, text(`${one}`));
    rig.at(hour + 10 * second + 450, { verb: "coverage", of: clinic, state: "none", forMs: 50 });
    rig.until(3 * hour);
    expect(textsReported(rig).toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `${index}`));
    expect(rig.world.census().texts).toBe(0);
  });

  it("holds texts for one phone without delaying another", () => {
    const slow = { ...carrier, name: "slow", delay: fixed(minute) };
    const rig = new WorldRig(
      castOf({
        carriers: [carrier, slow],
        handsets: [
          handsets({ profile: exact() }),
          handsets({
            name: "post",
            carrier: "slow",
            profile: exact(),
            phone: { prefix: "+2507890", first: 0, digits: 5, suffix: "" },
          }),
        ],
      }),
    );
    rig.at(0, text("quick"));
    rig.at(0, { verb: "text", from: farmer, to: { group: "post", from: 0, to: 0 }, body: fixed("slow") });
    rig.until(hour);
    expect(rig.received.map(({ channel, atMs }) => [channel, atMs])).toEqual([
      [1, 2_100],
      [2, minute + 100],
    ]);
  });

  it("assembles a long text: one report", () => {
    const rig = labWith();
    rig.at(0, text("a".repeat(600)));
    rig.until(hour);
    expect(textsReported(rig)).toEqual(["a".repeat(600)]);
  });
});

function textOf(report: object): string {
  return "text" in report && typeof report.text === "string" ? report.text : "";
}
