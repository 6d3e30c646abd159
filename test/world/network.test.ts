import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import type { Fault, Profile } from "../../src/world/index.js";
import {
  clinic,
  exact,
  farmerPhone,
  hour,
  minute,
  oneClinic,
  second,
  text,
  textsReported,
  type WorldRig,
} from "../support/world-rig.js";

const syncNow = { verb: "sync", of: clinic, now: true } as const;

function rigWith(changes: Partial<Profile> = {}, faults: readonly Fault[] = []): WorldRig {
  return oneClinic({ profile: exact(changes, "plain", faults) });
}

describe("a captive portal", () => {
  it("lets no sync and no push through, and a poll finds it gone", () => {
    const rig = rigWith({ pollEveryMs: 10 * minute });
    rig.at(minute, { verb: "network", of: clinic, portal: true, forMs: hour });
    const before = rig.syncs.length;
    rig.at(2 * minute, text("hello"));
    rig.at(3 * minute, syncNow);
    rig.send(1, farmerPhone, "well?");
    rig.until(hour);
    expect(rig.syncs).toHaveLength(before);
    expect(rig.world.inspectHandset(1)).toMatchObject({
      conditions: { portal: true },
      sync: { last: { failedBy: "captive-portal" }, isPushed: true },
    });
    rig.until(2 * hour);
    expect([textsReported(rig), rig.heard.length]).toEqual([["hello"], 1]);
    expect(rig.gap("texts")).toBe(0);
  });
});

describe("loses: 100%", () => {
  it("lets no request through", () => {
    const rig = rigWith();
    rig.at(0, { verb: "network", of: clinic, loses: 1, forMs: hour });
    for (let one = 0; one < 20; one++) rig.at(one * minute, text(`${one}`));
    rig.until(hour);
    expect(rig.syncs).toEqual([]);
    rig.at(hour, syncNow);
    rig.until(2 * hour);
    expect(textsReported(rig)).toHaveLength(20);
    expect(rig.tally.copies.size).toBe(0);
  });
});

describe("a second link", () => {
  const second2g = { verb: "network", of: clinic, type: "WIFI", second: "GPRS" } as const;
  const both = { repeatsSync: true, flipsNetwork: true };

  it("is used without the first", () => {
    const rig = rigWith();
    rig.at(0, second2g);
    rig.at(minute, { verb: "network", of: clinic, type: "none" });
    rig.at(2 * minute, syncNow);
    rig.until(hour);
    expect(rig.syncs.at(-1)?.body.status.networkType).toBe("GPRS");
    expect(rig.world.inspectHandset(1)).toMatchObject({ link: "GPRS", conditions: { network: "none" } });
  });

  it("takes the second try of a sync when the probe fails too, and the next sync begins on the first", () => {
    const rig = rigWith(both);
    rig.at(0, second2g);
    rig.at(0, { verb: "network", of: clinic, loses: 1, forMs: hour });
    rig.at(minute, text("hello"));
    rig.until(minute + second);
    expect(rig.world.inspectHandset(1).sync.current).toBeNull();
    rig.until(30 * minute);
    expect(textsReported(rig)).toEqual(["hello"]);
    // The text arrives after 2 s; the first try waits 120 s for its answer.
    expect(rig.received[0]?.atMs).toBe(minute + 2 * second + 2 * minute + 100);
    rig.at(2 * hour, syncNow);
    rig.until(3 * hour);
    expect(rig.syncs.at(-1)?.body.status.networkType).toBe("WIFI");
  });

  it.each([
    ["the service alone is down", both, undefined],
    ["a captive portal answers the probe", both, { verb: "network", of: clinic, portal: true } as const],
    ["the app does not flip", { repeatsSync: true }, { verb: "network", of: clinic, loses: 1 } as const],
  ])("is not used when %s", (_, changes, step) => {
    const rig = rigWith(changes);
    rig.at(0, second2g);
    if (step === undefined) rig.isAnswering = false;
    else rig.at(0, step);
    rig.at(minute, text("hello"));
    for (const at of [90, 150, 250, 290]) {
      rig.until(at * second);
      expect(rig.world.inspectHandset(1).sync.last?.failedBy ?? "none").not.toBe("no-network");
      expect(rig.world.deviceStatus(1).networkType).toBe("WIFI");
    }
    expect(rig.received).toEqual([]);
  });
});

describe("the airplane toggle of old apps", () => {
  /** Minutes at which airplane mode begins. */
  function toggles(changes: Partial<Profile>, during: (rig: WorldRig) => void): number[] {
    const rig = rigWith({ pollEveryMs: minute, runsAtPoll: true, ...changes });
    during(rig);
    const found: number[] = [];
    for (let at = 0; at < 60; at++) {
      for (let second_ = 0; second_ < 60; second_ += 5) {
        rig.until(at * minute + second_ * second);
        if (rig.world.inspectHandset(1).conditions.airplane && found.at(-1) !== at) found.push(at);
      }
    }
    return found;
  }

  it("when no text came for 20 minutes, at most once in 10", () => {
    const found = toggles({ togglesAirplane: true }, () => {});
    expect(found.length).toBeGreaterThanOrEqual(3);
    expect(found[0]).toBeGreaterThanOrEqual(20);
    for (const [index, at] of found.entries())
      if (index > 0) expect(at - (found[index - 1] ?? 0)).toBeGreaterThanOrEqual(9);
  });

  it("when nothing was synced for 10 minutes", () => {
    const found = toggles({ togglesAirplane: true }, (rig) => {
      rig.isAnswering = false;
    });
    expect(found[0]).toBeGreaterThanOrEqual(10);
    expect(found[0]).toBeLessThan(15);
  });

  it("only if its user allows it", () => {
    expect(toggles({}, () => {})).toEqual([]);
  });
});

describe("delivery reports over a switch-off", () => {
  it.each([
    { faults: ["callbacks-lost"], reports: 0 },
    { faults: [], reports: 1 },
  ] as const)("are lost with callbacks-lost ($reports come)", ({ faults, reports }) => {
    const rig = rigWith({}, faults);
    rig.send(1, farmerPhone, "hello"); // sent at 3.2 s, its delivery report comes at 10.2 s
    rig.at(6 * second, { verb: "reboot", of: clinic, downMs: minute });
    rig.until(hour);
    expect(rig.reportsOf("mt_sent")).toHaveLength(1);
    expect(rig.reportsOf("mt_dlvd")).toHaveLength(reports);
  });
});

describe("acknowledgements one sync late", () => {
  it("hit reports that a failed request carried: they are lost by a cause of their own", () => {
    const rig = rigWith({}, ["answer-late"]);
    rig.at(0, syncNow); // the first sync, posted twice
    rig.at(minute, text("one"));
    rig.at(2 * minute, syncNow); // one is reported again; the ack of its first report is applied, that of this one waits
    rig.at(5 * minute, { verb: "network", of: clinic, loses: 1, forMs: 10 * minute });
    rig.at(5 * minute, text("two")); // its request is lost; the late ack of number 1 counts for it
    rig.at(hour, syncNow);
    rig.at(2 * hour, syncNow);
    rig.until(3 * hour);
    expect(textsReported(rig)).not.toContain("two");
    expect([...rig.tally.losses]).toEqual([["texts wrong-ack", 1]]);
    expect([rig.gap("texts"), rig.world.census().texts]).toEqual([0, 0]);
  });

  it("keep the reports of a request that may still arrive", () => {
    const rig = rigWith({}, ["answer-late"]);
    rig.at(0, syncNow);
    rig.at(minute, text("one"));
    rig.at(2 * minute, syncNow);
    rig.at(5 * minute, { verb: "network", of: clinic, latency: fixed(3 * minute), forMs: 20 * minute });
    rig.at(5 * minute, text("two"));
    rig.at(hour, syncNow);
    rig.until(3 * hour);
    expect(rig.gap("texts")).toBe(0);
    expect(rig.tally.losses.size).toBe(0);
  });
});
