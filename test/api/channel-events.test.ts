import { beforeEach, describe, expect, it } from "vitest";
import type { CallEventType } from "../../src/wire/index.js";
import { startsAtMs } from "../gateway/service.js";
import { expectConforming } from "./conforms.js";
import { Rig } from "./rig.js";

const [ada, ben] = ["+250788111111", "+250788222222"];
const first = 2 ** 20;

describe("channel events", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
    const calls: [CallEventType, string, number][] = [
      ["mo_call", ada, 42],
      ["mo_miss", ben, 0],
      ["mt_call", ada, 7],
      ["mt_miss", ada, 0],
    ];
    calls.forEach(([call, phone, durationS], index) => {
      rig.service.passTo(10_000 * (index + 1));
      const timeMs = startsAtMs + rig.service.kernel.now - 2500;
      rig.service.sync(1, [{ type: "call", call, phone, timeMs, durationS }]);
    });
  });

  const list = async (query = ""): Promise<{ id: number; type: string; contact: { uuid: string } }[]> =>
    (await rig.get(`channel_events.json?${query}`)).body.results;
  const typesOf = async (query = ""): Promise<string[]> => (await list(query)).map(({ type }) => type);

  it("are the reported calls, newest first", async () => {
    const answered = await rig.get("channel_events.json");
    expectConforming(rig, "GET channel_events.json", answered);
    expect(await typesOf()).toEqual(["call-out-missed", "call-out", "call-in-missed", "call-in"]);
    const contact = (await rig.get("contacts.json?urn=tel:%2B250788111111")).body.results[0].uuid;
    const channel = (await rig.get("channels.json?address=%2B250788000001")).body.results[0].uuid;
    expect(answered.body.results.at(-1)).toEqual({
      id: first + 1,
      type: "call-in",
      contact: { uuid: contact, name: "Ada" },
      channel: { uuid: channel, name: "clinic/0" },
      extra: { duration: 42 },
      occurred_on: "2026-03-04T06:00:07.500000Z",
      created_on: "2026-03-04T06:00:10.000000Z",
      time: "2026-03-04T06:00:07.500000Z",
      duration: 42,
    });
  });

  it("are filtered by id, contact and time, and filters combine", async () => {
    const contact = (await list()).at(-1)?.contact.uuid ?? "";
    expect(await typesOf(`id=${first + 2}`)).toEqual(["call-in-missed"]);
    expect(await typesOf(`contact=${contact}`)).toEqual(["call-out-missed", "call-out", "call-in"]);
    expect(await typesOf("after=2026-03-04T06:00:20.000&before=2026-03-04T06:00:30.000")).toEqual([
      "call-out",
      "call-in-missed",
    ]);
    expect(await typesOf(`contact=${contact}&after=2026-03-04T06:00:40.000`)).toEqual(["call-out-missed"]);
    expect(await typesOf(`contact=${contact}&id=${first + 2}`)).toEqual([]);
    expect(await typesOf("contact=x")).toEqual([]);
  });

  it("of deleted contacts are gone", async () => {
    const contact = (await list()).at(-1)?.contact.uuid ?? "";
    await rig.delete(`contacts.json?uuid=${contact}`);
    expect(await typesOf()).toEqual(["call-in-missed"]);
    expect(await typesOf(`contact=${contact}`)).toEqual([]);
    expect(await typesOf(`id=${first + 1}`)).toEqual([]);
  });

  it("have no other method", async () => {
    expect(await rig.post("channel_events.json", {})).toMatchObject({ status: 405 });
    expect(await rig.delete("channel_events.json?id=1")).toMatchObject({ status: 405 });
  });
});
