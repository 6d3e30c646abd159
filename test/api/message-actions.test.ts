import { beforeEach, describe, expect, it } from "vitest";
import { startsAtMs } from "../gateway/service.js";
import { expectConforming } from "./conforms.js";
import { type Answered, Rig } from "./rig.js";

const first = 2 ** 20;
const [one, two, three] = [first + 1, first + 2, first + 3];
const outgoing = first + 4;

describe("message actions", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
    const { service } = rig;
    service.sync(
      1,
      ["one", "two", "three"].map((text) => ({ type: "mo_sms", phone: "+250788111111", text, timeMs: startsAtMs })),
    );
    service.send(1, "+250788111111", "out");
    await rig.post("labels.json", { name: "Urgent" });
    service.passTo(5000);
  });

  const act = (body: object): Promise<Answered> => rig.post("message_actions.json", body);
  const done = { status: 204, body: "" };

  /** Texts of a folder, with the labels of each. */
  async function shown(query: string): Promise<[string, string[]][]> {
    const { results } = (await rig.get(`messages.json?${query}`)).body;
    return results.map(({ text, labels }: { text: string; labels: { name: string }[] }) => [
      text,
      labels.map(({ name }) => name),
    ]);
  }

  async function modified(): Promise<string[]> {
    const { results } = (await rig.get("messages.json?folder=incoming&after=2026-03-04T06:00:05.000")).body;
    return results.map(({ text }: { text: string }) => text);
  }

  it("label and unlabel, by ids and UUIDs, by the label's name in any case or its UUID", async () => {
    const uuids = (await rig.get("messages.json?folder=inbox")).body.results.map(({ uuid }: { uuid: string }) => uuid);
    const label = (await rig.get("labels.json")).body.results[0].uuid;
    expect(await act({ messages: [one, String(two), uuids[0]], action: "label", label: "uRGENT" })).toMatchObject(done);
    expect(await shown("label=Urgent")).toEqual([
      ["three", ["Urgent"]],
      ["two", ["Urgent"]],
      ["one", ["Urgent"]],
    ]);
    expect((await rig.get("labels.json")).body.results).toMatchObject([{ count: 3 }]);
    expect(await act({ messages: [one, one], action: "unlabel", label })).toMatchObject(done);
    expect(await shown("label=Urgent")).toHaveLength(2);
  });

  it("add the label named by label_name, and ignore the removal of an unknown one", async () => {
    expect(await act({ messages: [one], action: "label", label_name: "New" })).toMatchObject(done);
    expect(await act({ messages: [two], action: "label", label_name: "NEW" })).toMatchObject(done);
    expect(await act({ messages: [one], action: "unlabel", label_name: "Never" })).toMatchObject(done);
    expect((await rig.get("labels.json")).body.results).toMatchObject([{ name: "New", count: 2 }, { name: "Urgent" }]);
  });

  it("archive and restore: labels stay, and count only visible messages", async () => {
    await act({ messages: [one, two], action: "label", label: "Urgent" });
    expect(await act({ messages: [one], action: "archive" })).toMatchObject(done);
    expect(await shown("folder=archived")).toEqual([["one", ["Urgent"]]]);
    expect(await shown("label=Urgent")).toEqual([["two", ["Urgent"]]]);
    expect(await shown("label=Urgent&folder=archived")).toEqual([["one", ["Urgent"]]]);
    expect((await rig.get("labels.json")).body.results).toMatchObject([{ count: 1 }]);
    expect((await rig.get(`messages.json?id=${one}`)).body.results).toMatchObject([
      { archived: true, visibility: "archived" },
    ]);
    expect(await act({ messages: [one], action: "restore" })).toMatchObject(done);
    expect(await shown("label=Urgent")).toHaveLength(2);
    expect(await shown("folder=inbox")).toHaveLength(3);
  });

  it("delete for good: text and labels go, and the message cannot be referenced again", async () => {
    await act({ messages: [one], action: "label", label: "Urgent" });
    expect(await act({ messages: [one], action: "delete" })).toMatchObject(done);
    expect(await shown(`id=${one}`)).toEqual([]);
    expect(await shown(`id=${one}&folder=incoming`)).toEqual([["", []]]);
    expect((await rig.get("labels.json")).body.results).toMatchObject([{ count: 0 }]);
    expect(await act({ messages: [one], action: "restore" })).toMatchObject({
      status: 400,
      body: { messages: [`No such object: ${one}`] },
    });
  });

  it("modify the messages that they change, and no others", async () => {
    await act({ messages: [one, two], action: "label", label: "Urgent" });
    expect(await modified()).toEqual(["two", "one"]);
    rig.service.passTo(6000);
    await act({ messages: [one, three], action: "label", label: "Urgent" });
    await act({ messages: [two], action: "restore" });
    await act({ messages: [two], action: "unlabel", label_name: "Urgent" });
    await act({ messages: [two], action: "unlabel", label_name: "Urgent" });
    expect(await modified()).toEqual(["three", "two", "one"]);
    const [, , last] = (await rig.get("messages.json?folder=incoming")).body.results;
    expect(last).toMatchObject({ text: "one", modified_on: "2026-03-04T06:00:05.000000Z" });
  });

  it("are refused as a whole and then change nothing", async () => {
    const before = (await rig.get("messages.json?folder=incoming")).body;
    const urgent = { label: "Urgent" };
    for (const [body, errors] of [
      [{}, { messages: ["This field is required."], action: ["This field is required."] }],
      [{ messages: one, action: "archive" }, { messages: ['Expected a list of items but got type "int".'] }],
      [{ messages: [one, 99], action: "archive" }, { messages: ["No such object: 99"] }],
      [{ messages: [one, "x"], action: "archive" }, { messages: ["No such object: x"] }],
      [{ messages: [one, outgoing], action: "archive" }, { messages: [`Not an incoming message: ${outgoing}`] }],
      [{ messages: [one, { id: 2 }], action: "archive" }, { messages: ["Must be a string or integer"] }],
      [{ messages: [one, true], action: "archive" }, { messages: ["Must be a string or integer"] }],
      [{ messages: [1.5], action: "archive" }, { messages: ["Must be a string or integer"] }],
      [{ messages: [1e300], action: "archive" }, { messages: ["No such object: 1e+300"] }],
      [{ messages: ["\ud800"], action: "archive" }, { messages: ["Not a valid string."] }],
      [{ messages: Array(101).fill(one), action: "archive" }, { messages: ["At most 100 items are allowed here."] }],
      [{ messages: [one], action: "burn" }, { action: ['"burn" is not a valid choice.'] }],
      [{ messages: [one], action: "label", label: "Nope" }, { label: ["No such object: Nope"] }],
      [{ messages: [one], action: "label", label: "" }, { label: ["This field may not be null."] }],
      [
        { messages: [one], action: "label", label_name: "+" },
        { label_name: ["The name must begin with a letter or a digit."] },
      ],
      [{ messages: [one], action: "label" }, { non_field_errors: ["Give either label or label_name"] }],
      [{ messages: [one], action: "unlabel" }, { non_field_errors: ["Give either label or label_name"] }],
      [
        { messages: [one], action: "label", ...urgent, label_name: "New" },
        { non_field_errors: ["Give either label or label_name"] },
      ],
      [{ messages: [one], action: "archive", ...urgent }, { non_field_errors: ["archive takes no label"] }],
      [{ messages: [one], action: "delete", label_name: "A" }, { non_field_errors: ["delete takes no label"] }],
    ] as const) {
      const answered = await act(body);
      expect(answered).toMatchObject({ status: 400, body: errors });
      expectConforming(rig, "POST message_actions.json", answered);
    }
    expect((await rig.get("messages.json?folder=incoming")).body).toEqual(before);
    expect((await rig.get("labels.json")).body.results).toHaveLength(1);
    expect(await rig.get("message_actions.json")).toMatchObject({ status: 405 });
  });

  it("add no labels beyond the maximum", async () => {
    for (let index = 1; index < 250; index++) rig.service.account.labels.add({ name: `L${index}` });
    expect(await act({ messages: [one], action: "label", label_name: "One more" })).toMatchObject({
      status: 400,
      body: { non_field_errors: ["There are 250 labels, which is the limit"] },
    });
    expect(await act({ messages: [one], action: "label", label_name: "L7" })).toMatchObject(done);
  });
});
