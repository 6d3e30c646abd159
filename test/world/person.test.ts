import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import type { Distribution } from "../../src/sim/index.js";
import type { PeopleGroup } from "../../src/world/index.js";
import {
  castOf,
  clinic,
  exact,
  farmer,
  farmerPhone,
  handsets,
  hour,
  carrier,
  WorldRig,
  minute,
  people,
  second,
  textsReported,
} from "../support/world-rig.js";

function labWith(changes: Partial<PeopleGroup>, clinics = 1): WorldRig {
  return new WorldRig(
    castOf({ handsets: [handsets({ count: clinics, profile: exact() })], people: [people(changes)] }),
  );
}

describe("people", () => {
  it("do not reply unless the cast says so", () => {
    const rig = labWith({});
    rig.send(1, farmerPhone, "hello");
    rig.until(hour);
    expect([rig.heard.length, textsReported(rig).length]).toEqual([1, 0]);
  });

  it("reply to the number that texted them, after the configured time", () => {
    const rig = labWith({ replies: { chance: 1, after: fixed(20 * second), with: fixed("yes") } }, 2);
    rig.send(2, farmerPhone, "hello");
    rig.until(hour);
    const heardAtMs = rig.heard[0]?.atMs ?? NaN;
    expect(textsReported(rig, 1)).toEqual([]);
    expect(rig.reportsOf("mo_sms", 2).map(({ atMs, report }) => [atMs, "phone" in report && report.phone])).toEqual([
      [heardAtMs + 20 * second + 2 * second + 100, farmerPhone],
    ]);
    expect(rig.gap("texts")).toBe(0);
  });

  it("whose phones are off hear messages when they are on again, reply then, and answer no call", () => {
    const rig = labWith({ replies: { chance: 1, after: fixed(20 * second), with: fixed("yes") } });
    rig.at(minute, { verb: "unreachable", people: farmer, forMs: hour });
    rig.send(1, farmerPhone, "hello");
    rig.at(2 * minute, {
      verb: "call",
      by: "handset",
      people: farmer,
      handsets: clinic,
      talks: fixed(minute),
    });
    rig.at(3 * minute, { verb: "text", from: farmer, to: clinic, body: fixed("from me") });
    rig.at(4 * minute, { verb: "call", by: "person", people: farmer, handsets: clinic, talks: fixed(minute) });
    rig.until(hour);
    expect([rig.heard.length, textsReported(rig), rig.world.isBusy]).toEqual([0, [], true]);
    rig.until(2 * hour);
    expect(rig.heard.map(({ atMs }) => atMs)).toEqual([minute + hour]);
    expect(textsReported(rig)).toEqual(["from me", "yes"]);
    expect(rig.reportsOf("mt_dlvd")).toHaveLength(1);
    expect(rig.reportsOf("mt_miss")).toHaveLength(1);
    expect(rig.tally.losses).toEqual(new Map([["calls caller-off", 1]]));
    expect([rig.gap("texts"), rig.gap("calls"), rig.world.isBusy]).toEqual([0, 0, false]);
  });

  it("whose phones stay off never hear a message that expires", () => {
    const rig = new WorldRig(
      castOf({
        carriers: [{ ...carrier, expiresAfterMs: hour }],
        handsets: [handsets({ profile: exact() })],
        people: [people({})],
      }),
    );
    rig.at(minute, { verb: "unreachable", people: farmer });
    rig.send(1, farmerPhone, "hello");
    rig.until(3 * hour);
    rig.at(3 * hour, { verb: "unreachable", people: farmer, state: "off" });
    rig.until(4 * hour);
    expect([rig.heard.length, rig.reportsOf("mt_sent").length, rig.reportsOf("mt_dlvd").length]).toEqual([0, 1, 0]);
    expect(rig.tally.losses).toEqual(new Map([["texts expired", 1]]));
    expect(rig.gap("texts")).toBe(0);
  });

  it("reply only to texts that match", () => {
    const rig = labWith({
      replies: { to: { source: "\\?$", flags: "" }, chance: 1, after: fixed(0), with: fixed("yes") },
    });
    rig.send(1, farmerPhone, "Come tomorrow.");
    rig.until(hour);
    expect(textsReported(rig)).toEqual([]);
    rig.send(1, farmerPhone, "Will you come?");
    rig.until(2 * hour);
    expect(rig.reportsOf("mo_sms", 1)).toHaveLength(1);
  });

  it("reply in the configured share, with one of the configured texts", () => {
    const answers: Distribution<string> = {
      kind: "weighted",
      of: [
        { weight: 3, value: fixed("yes") },
        { weight: 1, value: fixed("no") },
      ],
    };
    const after = { kind: "uniform", min: 20 * second, max: 10 * minute, whole: true } as const;
    const rig = labWith({ replies: { chance: 0.6, after, with: answers } });
    for (let one = 0; one < 1000; one++) rig.send(1, `+25078110000${one % 10}`, "hello");
    rig.until(2 * hour);
    expect(rig.heard).toHaveLength(1000);
    for (let one = 0; one < 20; one++) rig.at((2 + one) * hour, { verb: "sync", of: clinic, now: true });
    const reported = textsReported(rig);
    expect(reported.length).toBeGreaterThan(540);
    expect(reported.length).toBeLessThan(660);
    const yes = reported.filter((one) => one === "yes").length / reported.length;
    expect(yes).toBeGreaterThan(0.69);
    expect(yes).toBeLessThan(0.81);
  });

  it("reply to each copy of a duplicated text", () => {
    const rig = new WorldRig(
      castOf({
        carriers: [{ ...carrier, delay: fixed(0), duplicates: 1, reportsDelivery: 0 }],
        handsets: [handsets({ profile: exact() })],
        people: [people({ replies: { chance: 1, after: fixed(0), with: fixed("yes") } })],
      }),
    );
    rig.send(1, farmerPhone, "hello");
    rig.until(hour);
    expect([rig.heard.length, textsReported(rig).length]).toEqual([2, 4]);
    expect(rig.gap("texts")).toBe(0);
  });

  it("may share a short code", () => {
    const rig = labWith({ count: 3, phone: { prefix: "MTN", first: 0, digits: 0, suffix: "" } });
    rig.at(0, { verb: "text", from: { group: "farmers", from: 2, to: 2 }, to: clinic, body: fixed("offer") });
    rig.until(minute);
    expect(rig.received.map(({ report }) => "phone" in report && report.phone)).toEqual(["MTN"]);
    expect(rig.world.population.personByPhone("MTN")).toBe(0);
  });

  it("are known by number, place and selector", () => {
    const { world } = labWith({ language: "kin", displayName: fixed("Aline") });
    expect(world.person(3)).toEqual({
      person: 3,
      selector: "farmers/3",
      phone: "+250781100003",
      name: "Aline",
      language: "kin",
    });
    expect(world.population.personByPhone("+250781100003")).toBe(3);
    for (const nobody of ["+250781100010", "+25078110003", "+2507811000031", "MTN", ""]) {
      expect(world.population.personByPhone(nobody)).toBeUndefined();
    }
    expect(() => world.person(10)).toThrow(RangeError);
  });
});

describe("routing", () => {
  const clinics = (from: number, to: number, share?: number) => ({
    group: "clinic",
    from,
    to,
    ...(share === undefined ? {} : { share }),
  });

  it("person i of P is at home at handset floor(i × H / P)", () => {
    for (const [persons, homes] of [
      [10, 3],
      [3, 10],
      [7, 7],
      [2000, 40],
    ] as const) {
      const { world } = labWith({ count: persons, of: clinics(0, homes - 1) }, homes);
      for (let person = 0; person < persons; person++) {
        expect(world.channelFor(person, clinics(0, homes - 1))).toBe(Math.floor((person * homes) / persons) + 1);
      }
    }
  });

  it("a person whose home is not selected writes to any of the selected", () => {
    const { world } = labWith({ of: clinics(0, 0) }, 5);
    const routed = Array.from({ length: 200 }, () => world.channelFor(0, clinics(2, 4)));
    expect(new Set(routed)).toEqual(new Set([3, 4, 5]));
    expect(world.channelFor(0, clinics(0, 4))).toBe(1);
  });

  it("a share selects a fixed subset of at least one", () => {
    const { world } = labWith({ of: clinics(0, 0) }, 40);
    const some = world.population.channelsOf(clinics(0, 39, 0.1));
    expect(some).toHaveLength(4);
    expect(world.population.channelsOf(clinics(0, 39, 0.1))).toEqual(some);
    expect(world.population.channelsOf(clinics(0, 39, 1))).toHaveLength(40);
    expect(world.population.channelsOf(clinics(10, 19, 0.5)).every((channel) => channel > 10 && channel <= 20)).toBe(
      true,
    );
    const one = world.population.channelsOf(clinics(0, 9, 0.01));
    expect(one).toHaveLength(1);
    expect(world.channelFor(0, clinics(0, 9, 0.01))).toBe(one[0]);
  });

  it("channels count from 1 through the groups in file order", () => {
    const { world } = new WorldRig(
      castOf({
        handsets: [
          handsets({ count: 2, profile: exact() }),
          handsets({
            name: "post",
            count: 2,
            profile: exact(),
            phone: { prefix: "+2507890", first: 7, digits: 2, suffix: "9" },
            receiver: "http://127.0.0.1:1/",
          }),
        ],
      }),
    );
    expect(world.handset(4)).toMatchObject({
      channel: 4,
      selector: "post/1",
      phone: "+2507890089",
      receiver: "http://127.0.0.1:1/",
    });
    expect(world.population.channelByPhone("+2507890089")).toBe(4);
    expect(world.population.channelByPhone("+2507890099")).toBeUndefined();
    expect([world.population.handsetCount, world.population.personCount]).toEqual([4, 10]);
    expect(() => world.handset(5)).toThrow("channel must be 1..4, got 5");
    expect(() => world.population.channelsOf({ group: "nobody", from: 0, to: 0 })).toThrow(
      "no group is named 'nobody'",
    );
  });
});
