import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import type { Fault, Profile, WorldInput } from "../../src/world/index.js";
import {
  clinic,
  exact,
  farmer,
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

const syncNow = { verb: "sync", of: clinic, now: true } as const;

function missedCall(rings = 5): WorldInput {
  return { verb: "call", by: "person", people: farmer, handsets: clinic, rings: fixed(rings * second) };
}

function labWith(faults: readonly Fault[], changes: Partial<Profile> = {}): WorldRig {
  return oneClinic({ profile: exact(changes, "plain", faults) });
}

/** The same story with the fault and without it. */
function both(
  fault: Fault,
  story: (rig: WorldRig) => unknown,
  { changes = {}, also = [] }: { changes?: Partial<Profile>; also?: readonly Fault[] } = {},
): { readonly withFault: unknown; readonly without: unknown } {
  const play = (faults: readonly Fault[]): unknown => {
    const rig = labWith(faults, changes);
    const seen = story(rig);
    expect([rig.gap("texts"), rig.gap("calls")]).toEqual([0, 0]);
    return seen;
  };
  return { withFault: play([fault, ...also]), without: play(also) };
}

describe("early-sent", () => {
  const slowRadio = { sentAfter: fixed(3 * minute) };

  it("reports a message as sent at the first pass after 86.4 s; the real answer reports it again", () => {
    const reported = (rig: WorldRig): unknown => {
      rig.send(1, farmerPhone, "hello"); // handed over at 1.2 s
      rig.at(87 * second, syncNow); // its pass, at 87.2 s, is still too early
      rig.at(88 * second, syncNow);
      rig.until(hour);
      return [rig.heard.length, ...rig.reportsOf("mt_sent").map(reportedTime)];
    };
    expect(both("early-sent", reported, { changes: slowRadio })).toEqual({
      withFault: [1, 88_200, 181_200],
      without: [1, 181_200],
    });
  });

  it("may be followed by a failure", () => {
    const reported = (rig: WorldRig): unknown => {
      rig.at(0, { verb: "sms-service", of: clinic, state: "limit" });
      rig.send(1, farmerPhone, "hello");
      rig.at(100 * second, syncNow);
      rig.until(hour);
      return rig.received.map(({ report }) => report.type);
    };
    const changes = { failedAfter: fixed(3 * minute), retryWaitsMs: [] };
    expect(both("early-sent", reported, { changes })).toEqual({
      withFault: ["mt_sent", "mt_fail"],
      without: ["mt_fail"],
    });
  });

  it("reports an unsent message as sent when the radio's answer is lost", () => {
    const story = (rig: WorldRig): unknown => {
      const id = rig.send(1, farmerPhone, "hello");
      rig.at(2 * second, { verb: "reboot", of: clinic, downMs: second });
      rig.at(10 * minute, syncNow);
      rig.until(hour);
      return [rig.statusOf(id), rig.heard.length, rig.world.census().texts, ...rig.tally.losses];
    };
    expect(both("early-sent", story, { also: ["callbacks-lost"] })).toEqual({
      withFault: ["S", 0, 0, ["texts early-sent", 1]],
      without: ["Q", 0, 1],
    });
  });

  it.each([
    { name: "a switch-off", input: { verb: "reboot", of: clinic, downMs: second } },
    { name: "a pause", input: { verb: "pause", of: clinic, forMs: 10 * minute } },
  ] as const)("what was reported as sent and $name ends is lost, and does not wait for ever", ({ input }) => {
    const rig = labWith(["early-sent", "callbacks-lost"], { failedAfter: fixed(3 * minute) });
    rig.at(0, { verb: "sms-service", of: clinic, state: "limit" });
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(100 * second, syncNow);
    rig.at(2 * minute, input);
    rig.until(hour);
    expect(rig.statusOf(id)).toBe("S");
    expect(rig.world.census().texts).toBe(0);
    expect(rig.tally.losses).toEqual(new Map([["texts early-sent", 1]]));
    expect(rig.gap("texts")).toBe(0);
  });

  it("a message reported as sent is tried again when a switch-off counts as a failed try", () => {
    const rig = labWith(["early-sent"], slowRadio);
    rig.send(1, farmerPhone, "hello");
    rig.at(100 * second, syncNow);
    rig.at(2 * minute, { verb: "reboot", of: clinic, downMs: second });
    rig.until(hour);
    expect(rig.heard).toHaveLength(1);
    expect(rig.reportsOf("mt_sent").map(reportedTime)).toEqual([100_200, 2 * minute + minute + 3 * minute]);
    expect(rig.world.census().texts).toBe(0);
  });

  it("a message reported early, not yet synced and then reset, is sent again when it is offered", () => {
    const rig = labWith(["early-sent"], slowRadio);
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(90 * second, { verb: "network", of: clinic, type: "none", forMs: 10 * minute });
    rig.at(100 * second, syncNow); // fails, and the runner runs
    rig.at(150 * second, { verb: "reset", of: clinic, downMs: 0 });
    expect(rig.gap("texts")).toBe(0);
    rig.at(hour, syncNow);
    rig.until(2 * hour);
    expect(rig.gap("texts")).toBe(0);
    expect([rig.statusOf(id), rig.heard.length]).toEqual(["S", 1]);
    expect([...rig.tally.losses, ...rig.tally.copies]).toEqual([
      ["texts reset", 1],
      ["texts resent", 1],
    ]);
  });
});

describe("callbacks-lost", () => {
  it("leaves a message pending when the answer comes while the phone is off", () => {
    const story = (rig: WorldRig): unknown => {
      const id = rig.send(1, farmerPhone, "hello");
      rig.at(2 * second, { verb: "reboot", of: clinic, downMs: minute });
      rig.until(10 * hour);
      return [rig.heard.length, rig.statusOf(id), rig.world.deviceStatus(1).pending.length];
    };
    expect(both("callbacks-lost", story)).toEqual({ withFault: [0, "Q", 1], without: [1, "S", 0] });
  });

  it("leaves it pending in a pause although its text is on air", () => {
    const story = (rig: WorldRig): unknown => {
      const id = rig.send(1, farmerPhone, "hello");
      rig.at(2 * second, { verb: "pause", of: clinic, forMs: minute });
      rig.until(10 * hour);
      return [rig.heard.length, rig.statusOf(id), ...rig.received.map(({ report }) => report.type)];
    };
    expect(both("callbacks-lost", story)).toEqual({
      withFault: [1, "Q"],
      without: [1, "S", "mt_sent", "mt_dlvd"],
    });
  });
});

describe("failed-resend", () => {
  it("sends a failed message again when it is offered; its old row stays under retry until then", () => {
    const story = (rig: WorldRig): unknown => {
      rig.at(0, { verb: "sms-service", of: clinic, state: "limit" });
      rig.send(1, farmerPhone, "hello");
      rig.at(4 * minute, { verb: "sms-service", of: clinic, state: "ok" });
      rig.until(6 * minute); // the send limit holds the new row back
      const { pending, retry } = rig.world.deviceStatus(1);
      rig.until(hour);
      return [pending.length, retry.length, rig.heard.length, rig.tally.copies.get("texts resent") ?? 0];
    };
    // Without room for reports the service does not learn of the failure, and offers the message at each sync.
    const changes = { batch: 0, retryWaitsMs: [], packs: 1, packLimit: 1, packWindowMs: 10 * minute };
    expect(both("failed-resend", story, { changes })).toEqual({ withFault: [1, 1, 1, 1], without: [0, 0, 0, 0] });
  });

  it("a message offered after its failure was reported is sent again with or without the fault", () => {
    const story = (rig: WorldRig): unknown => {
      rig.at(0, { verb: "sms-service", of: clinic, state: "limit", forMs: minute });
      const id = rig.send(1, farmerPhone, "hello");
      rig.until(5 * minute);
      rig.reoffered.push(id);
      rig.at(5 * minute, syncNow);
      rig.until(hour);
      return [rig.heard.length, rig.tally.copies.get("texts resent") ?? 0];
    };
    const changes = { retryWaitsMs: [] };
    expect(both("failed-resend", story, { changes })).toEqual({ withFault: [1, 1], without: [1, 1] });
  });
});

describe("regress-after-delivered", () => {
  it("forgets the delivery with the ack of the sent report; an offer then yields mt_sent only", () => {
    const story = (rig: WorldRig): unknown => {
      const id = rig.send(1, farmerPhone, "hello");
      rig.until(2 * second);
      rig.at(2 * second, { verb: "network", of: clinic, type: "none", forMs: minute });
      rig.at(2 * minute, syncNow); // sent and delivered are reported and acknowledged together
      rig.until(3 * minute);
      rig.reoffered.push(id);
      rig.at(3 * minute, syncNow);
      rig.at(4 * minute, syncNow);
      rig.until(5 * minute);
      return rig.received.map(({ report }) => report.type);
    };
    const { withFault, without } = both("regress-after-delivered", story);
    expect(without).toEqual(["mt_sent", "mt_dlvd", "mt_sent", "mt_dlvd"]);
    expect(withFault).toEqual(["mt_sent", "mt_dlvd", "mt_sent"]);
  });
});

describe("inbox-mark", () => {
  it("loses texts that come while a clock that was set back catches up", () => {
    const story = (rig: WorldRig): unknown => {
      rig.at(10 * minute, text("before"));
      rig.at(11 * minute, { verb: "clock", of: clinic, skewMs: -5 * minute });
      rig.at(12 * minute, text("lost"));
      rig.at(14 * minute, text("lost too"));
      rig.at(15 * minute + second, text("after"));
      rig.until(hour);
      return [textsReported(rig), ...rig.tally.losses];
    };
    expect(both("inbox-mark", story)).toEqual({
      withFault: [
        ["before", "after"],
        ["texts clock-mark", 2],
      ],
      without: [["before", "lost", "lost too", "after"]],
    });
  });

  it("loses the second of two texts within a millisecond", () => {
    const story = (rig: WorldRig): unknown => {
      rig.at(0, text("one"));
      rig.at(0, text("two"));
      rig.until(hour);
      return textsReported(rig);
    };
    expect(both("inbox-mark", story)).toEqual({ withFault: ["one"], without: ["one", "two"] });
  });
});

describe("call-log-newest-only", () => {
  it("skips the older of several unread calls", () => {
    const story = (rig: WorldRig): unknown => {
      rig.at(0, { verb: "pause", of: clinic, forMs: 10 * minute });
      for (const at of [1, 2, 3]) rig.at(at * minute, missedCall());
      rig.at(20 * minute, missedCall());
      rig.until(hour);
      return [rig.received.map(reportedTime), ...rig.tally.losses];
    };
    expect(both("call-log-newest-only", story)).toEqual({
      withFault: [[20 * minute], ["calls skipped", 3]],
      without: [[20 * minute, 3 * minute, 2 * minute, minute]],
    });
  });
});

describe("call-log-repeats", () => {
  it("reports the newest call again after a restart", () => {
    const story = (rig: WorldRig): unknown => {
      rig.at(minute, missedCall());
      rig.at(2 * minute, missedCall());
      rig.at(10 * minute, { verb: "reboot", of: clinic, downMs: minute });
      rig.until(hour);
      return [rig.received.map(reportedTime), ...rig.tally.copies];
    };
    expect(both("call-log-repeats", story)).toEqual({
      withFault: [
        [minute, 2 * minute, 2 * minute],
        ["calls told-again", 1],
      ],
      without: [[minute, 2 * minute]],
    });
  });
});

describe("call-log-observers", () => {
  it("reports a call once for each opening of the app, until the phone restarts", () => {
    const story = (rig: WorldRig): unknown => {
      rig.at(minute, missedCall());
      rig.at(2 * minute, syncNow);
      rig.at(3 * minute, syncNow);
      rig.at(4 * minute, missedCall());
      rig.at(10 * minute, { verb: "reboot", of: clinic, downMs: minute });
      rig.at(20 * minute, missedCall());
      rig.until(hour);
      expect(rig.gap("calls")).toBe(0);
      return [rig.received.map(reportedTime), ...rig.tally.copies];
    };
    expect(both("call-log-observers", story)).toEqual({
      withFault: [
        [minute, 4 * minute, 4 * minute, 4 * minute, 20 * minute],
        ["calls observers", 2],
      ],
      without: [[minute, 4 * minute, 20 * minute]],
    });
  });
});

describe("no-mt-miss", () => {
  it("reports an unanswered outgoing call as mt_call of 0 s", () => {
    const story = (rig: WorldRig): unknown => {
      rig.at(0, { verb: "call", by: "handset", people: farmer, handsets: clinic, rings: fixed(20 * second) });
      rig.until(hour);
      return rig.received.map(({ report }) => (report.type === "call" ? [report.call, report.durationS] : []));
    };
    expect(both("no-mt-miss", story)).toEqual({ withFault: [["mt_call", 0]], without: [["mt_miss", 0]] });
  });
});

describe("stale-after-reboot", () => {
  it("reports the stored battery and network until the app is opened", () => {
    const story = (rig: WorldRig): unknown => {
      rig.at(0, { verb: "battery", of: clinic, level: 30 });
      rig.at(0, { verb: "power", of: clinic, mains: false });
      rig.at(minute, { verb: "reboot", of: clinic, downMs: minute });
      rig.at(2 * minute, { verb: "power", of: clinic, mains: true });
      rig.at(2 * minute, { verb: "battery", of: clinic, level: 90 });
      rig.at(2 * minute, { verb: "network", of: clinic, type: "WIFI" });
      rig.at(10 * minute, text("hello"));
      rig.until(11 * minute);
      rig.at(11 * minute, syncNow);
      rig.until(12 * minute);
      return rig.syncs.slice(-2).map(({ body: { status } }) => {
        const { powerSource, powerStatus, powerLevel, networkType } = status;
        return [powerSource, powerStatus, powerLevel >= 90, networkType];
      });
    };
    const fresh = ["AC", "CHA", true, "WIFI"];
    expect(both("stale-after-reboot", story)).toEqual({
      withFault: [["BAT", "DIS", false, "LTE"], fresh],
      without: [fresh, fresh],
    });
  });

  it("survives a second reboot", () => {
    const rig = labWith(["stale-after-reboot"]);
    rig.at(0, { verb: "network", of: clinic, type: "GPRS" });
    rig.at(minute, { verb: "reboot", of: clinic, downMs: second });
    rig.at(2 * minute, { verb: "network", of: clinic, type: "WIFI" });
    rig.at(3 * minute, { verb: "reboot", of: clinic, downMs: second });
    rig.until(hour);
    expect(rig.world.deviceStatus(1).networkType).toBe("GPRS");
  });
});

describe("unopened-after-reboot", () => {
  it("answers pushes only: no polls, nothing sent, nothing relayed, until the app is opened", () => {
    const play = (faults: readonly Fault[]): WorldRig => {
      const rig = labWith(faults, { pollEveryMs: 10 * minute });
      rig.at(0, { verb: "reboot", of: clinic, downMs: minute });
      rig.at(10 * minute, text("one"));
      rig.at(11 * minute, text("two"));
      rig.at(12 * minute, missedCall());
      rig.until(20 * minute);
      return rig;
    };
    const plain = play([]);
    expect([plain.syncs.length > 2, textsReported(plain)]).toEqual([true, ["one", "two"]]);

    const rig = play(["unopened-after-reboot"]);
    expect(rig.syncs).toEqual([]);
    const id = rig.send(1, farmerPhone, "hello");
    rig.until(40 * minute);
    expect(rig.syncs).toHaveLength(1); // the push
    expect(rig.syncs[0]?.body.reports).toEqual([]);
    expect(rig.heard).toEqual([]);
    expect(rig.world.deviceStatus(1).pending).toEqual([id]);
    expect(rig.world.census()).toEqual({ texts: 3, calls: 1 });
    rig.at(40 * minute, syncNow);
    rig.until(hour);
    expect(textsReported(rig)).toEqual(["two", "one"]);
    expect(rig.reportsOf("mo_miss")).toHaveLength(1);
    expect(rig.heard).toHaveLength(1);
    expect(rig.syncs.length).toBeGreaterThan(2); // it polls again
    expect([rig.gap("texts"), rig.gap("calls")]).toEqual([0, 0]);
  });

  it("ignores delivery reports until the app is opened", () => {
    const reported = (rig: WorldRig): unknown => {
      rig.send(1, farmerPhone, "hello");
      rig.at(4 * second, { verb: "reboot", of: clinic, downMs: second }); // it is on air, not yet delivered
      rig.at(minute, syncNow);
      rig.until(hour);
      return rig.received.map(({ report }) => report.type);
    };
    expect(both("unopened-after-reboot", reported)).toEqual({
      withFault: ["mt_sent"],
      without: ["mt_sent", "mt_dlvd"],
    });
  });
});

describe("answer-late", () => {
  it("posts the first sync twice and applies each answer one sync late", () => {
    const story = (rig: WorldRig): unknown => {
      rig.at(0, text("hello"));
      for (const at of [1, 2, 3]) rig.at(at * minute, syncNow);
      rig.until(hour);
      return rig.syncs.map(({ body }) => body.reports.length);
    };
    // The phone applies the answer to the second post at the end of the third, so it reports three times.
    expect(both("answer-late", story)).toEqual({ withFault: [1, 1, 1, 0, 0], without: [1, 0, 0, 0] });
  });

  it("hands over a message one sync late", () => {
    const story = (rig: WorldRig): unknown => {
      rig.at(0, syncNow);
      rig.until(minute);
      rig.send(1, farmerPhone, "hello");
      rig.at(10 * minute, syncNow);
      rig.until(hour);
      return rig.heard.map(({ atMs }) => atMs);
    };
    expect(both("answer-late", story)).toEqual({ withFault: [10 * minute + 4_200], without: [minute + 5_200] });
  });

  it("posts the first sync twice after each restart", () => {
    const rig = labWith(["answer-late", "unopened-after-reboot"]);
    rig.at(0, syncNow);
    rig.until(minute);
    expect(rig.syncs).toHaveLength(2);
    rig.at(minute, { verb: "reboot", of: clinic, downMs: second });
    rig.at(2 * minute, syncNow);
    rig.until(2 * minute + second);
    expect(rig.syncs.length).toBeGreaterThanOrEqual(4);
  });
});

describe("packs-uncounted", () => {
  it.each([
    { packs: 1, withFault: 0, without: 30 },
    { packs: 3, withFault: 60, without: 90 },
    { packs: 11, withFault: 300, without: 330 },
  ])("with $packs packages $withFault of $without go out", ({ packs, withFault, without }) => {
    const story = (rig: WorldRig): unknown => {
      for (let one = 0; one < 400; one++) rig.send(1, farmerPhone, "hello");
      rig.until(20 * minute);
      return rig.heard.length;
    };
    expect(both("packs-uncounted", story, { changes: { packs } })).toEqual({ withFault, without });
  });
});
