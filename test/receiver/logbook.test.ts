import { afterEach, describe, expect, it } from "vitest";
import { startReceiver, type Receiver, receiverBugs, storyBugs } from "../../src/receiver/index.js";

const open: Receiver[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.close()));
});

async function logbook(...bugs: string[]) {
  const receiver = await startReceiver({ logbook: { bugs } });
  open.push(receiver);
  const post = async (body: string): Promise<{ readonly status: number; readonly text: string }> => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await fetch(receiver.url, { method: "POST", body, headers });
    return { status: answer.status, text: await answer.text() };
  };
  const effects = async (): Promise<unknown> => (await fetch(`${receiver.url}_handset-lab/effects`)).json();
  return { post, effects };
}

const text = (id: number, words = "hello") =>
  `event=mo_sms&relayer=1&relayer_phone=%2B12065550110&sms=${id}&phone=%2B12065550142&text=${words}&status=D&direction=I&time=2026-03-02T08%3A15%3A04.250`;
const report = (type: string, id: number) =>
  `event=${type}&relayer=1&sms=${id}&phone=%2B12065550142&text=hi&time=2026-03-02T08%3A15%3A04.250`;

describe("the logbook, the bundled receiver's right application", () => {
  it("keeps a text once, and replies once", async () => {
    const { post, effects } = await logbook();
    const first = await post(text(7));
    const again = await post(text(7));
    expect(JSON.parse(first.text)).toEqual({ urn: ["tel:+12065550142"], text: "Text 1 of yours is here: hello" });
    expect(again).toEqual({ status: 200, text: "" });
    expect(await effects()).toMatchObject({
      messages: [{ relayer: "1", id: "7", text: "hello", status: "received", time: "2026-03-02T08:15:04.250Z" }],
      contacts: [{ phone: "+12065550142", texts: 1 }],
    });
  });

  it("ends with the same effects whatever the order of reports", async () => {
    const orders = [
      ["mt_sent", "mt_dlvd", "mt_fail"],
      ["mt_dlvd", "mt_fail", "mt_sent"],
      ["mt_fail", "mt_sent", "mt_dlvd", "mt_sent"],
    ];
    const ends = await Promise.all(
      orders.map(async (types) => {
        const { post, effects } = await logbook();
        for (const type of types) await post(report(type, 9));
        return effects();
      }),
    );
    expect(ends[0]).toMatchObject({ messages: [{ status: "delivered" }] });
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[2]).toEqual(ends[0]);
  });

  it("reads a time with an offset, and a historic flow post without event", async () => {
    const { post, effects } = await logbook();
    await post(text(7).replace("04.250", "04%2B02%3A00"));
    await post("relayer=1&phone=%2B12065550142&flow=5&step=s1&values=%5B%5D");
    expect(await effects()).toMatchObject({
      messages: [{ time: "2026-03-02T06:15:04.000Z" }],
      flows: [{ flow: "5", step: "s1", values: [] }],
    });
  });

  it("has no effects to show without a logbook", async () => {
    const receiver = await startReceiver();
    open.push(receiver);
    expect((await fetch(`${receiver.url}_handset-lab/effects`)).status).toBe(404);
  });
});

describe("built-in bugs", () => {
  it("have names that differ, a sentence and a source", () => {
    const bugs = [...receiverBugs, ...storyBugs];
    const names = bugs.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(30);
    for (const { name, story, source } of bugs) {
      expect(name).toMatch(/^[a-z\d]+(?:-[a-z\d]+)*$/);
      expect(story).toMatch(/^(?:[A-Z29]|mt_).*\.$/s);
      expect(source).toMatch(/^docs\/reference\/[a-z-]+\.md#[a-z-]+$/);
    }
  });

  it("make a receiver wrong, each alone and together", async () => {
    const { post, effects } = await logbook("no-dedupe", "unknown-type-500");
    await post(text(7));
    await post(text(7));
    expect(await effects()).toMatchObject({ contacts: [{ texts: 2 }] });
    expect((await post("event=mo_fax&relayer=1")).status).toBe(500);
  });

  it("are refused by names that none has", async () => {
    await expect(startReceiver({ logbook: { bugs: ["no-such"] } })).rejects.toThrow("has no bug 'no-such'");
  });
});
