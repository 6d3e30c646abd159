import { describe, expect, it } from "vitest";
import { Service, startsAtMs } from "./service.js";

const minute = 60_000;
const day = 24 * 60 * minute;
const ada = "+250788111111";

const text = (words: string, atMs = 0) => ({
  type: "mo_sms" as const,
  phone: ada,
  text: words,
  timeMs: startsAtMs + atMs,
});
const report = (type: "mt_sent" | "mt_dlvd" | "mt_fail", id: number) => ({ type, id, timeMs: startsAtMs });

/** What both presets make of the same acts. */
function bothPresets<T>(act: (service: Service) => T): { documented: T; "rapidpro-2016": T } {
  return {
    documented: act(new Service({ base: "documented" })),
    "rapidpro-2016": act(new Service({ base: "rapidpro-2016" })),
  };
}

describe("push round", () => {
  it("pushes every 10 minutes the channels that were silent for 15 minutes to 7 days", () => {
    const service = new Service({ wakesSilent: true }, { phones: ["+250788000001"] });
    const pushedAt: number[] = [];
    for (let atMs = minute; atMs <= 8 * day; atMs += minute) {
      service.passTo(atMs);
      if (service.pushes.splice(0).length > 0) pushedAt.push(atMs);
      if (atMs === 22 * minute) service.sync(1);
    }
    expect(pushedAt.slice(0, 3)).toEqual([20 * minute, 40 * minute, 50 * minute]);
    expect(pushedAt.at(-1)).toBe(7 * day + 20 * minute);
    expect(pushedAt).toHaveLength((7 * day) / (10 * minute));
  });

  it("belongs to documented, and not to rapidpro-2016", () => {
    const pushes = bothPresets((service) => {
      service.passTo(21 * minute);
      return service.pushes;
    });
    expect(pushes).toEqual({ documented: [1, 2], "rapidpro-2016": [] });
  });
});

describe("reports", () => {
  it("of a final failure post mt_fail in rapidpro-2016, each time", () => {
    const events = bothPresets((service) => {
      const id = service.send(1, ada, "hello");
      service.sync(1, [report("mt_fail", id)]);
      service.sync(1, [report("mt_fail", id)]);
      return service.events.map(({ event, status, sms, copy }) => [event, status, Number(sms) === id, copy]);
    });
    expect(events.documented).toEqual([]);
    expect(events["rapidpro-2016"]).toEqual([
      ["mt_fail", "F", true, undefined],
      ["mt_fail", "F", true, undefined],
    ]);
  });

  it("for an unknown id are not acknowledged in rapidpro-2016, those for an incoming message are", () => {
    const answers = bothPresets((service) => {
      service.sync(1, [text("join")]);
      const incoming = service.messages[0]?.id ?? 0;
      return service.sync(1, [report("mt_sent", 99), report("mt_sent", incoming), text("again", 5000)]);
    });
    const ack = (place: number) => ({ type: "ack", report: place });
    expect(answers.documented).toEqual({ accepted: true, commands: [ack(1), ack(2), ack(3)] });
    expect(answers["rapidpro-2016"]).toEqual({ accepted: true, commands: [ack(2), ack(3)] });
  });
});

describe("incoming texts", () => {
  it("are cut at 640 characters in rapidpro-2016, and never inside an emoji", () => {
    const kept = bothPresets((service) => {
      service.sync(1, [text("x".repeat(700)), text("💧".repeat(641), 5000), text("y".repeat(640), 9000)]);
      return service.events.map((event) => Array.from(event["text"] ?? "").length);
    });
    expect(kept).toEqual({ documented: [700, 641, 640], "rapidpro-2016": [640, 640, 640] });
  });
});
