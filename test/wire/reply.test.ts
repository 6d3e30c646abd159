import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readReply, replyBytesMax, type Reply, type ReplyReading, type ReplyRefusal } from "../../src/wire/index.js";

const ada = "tel:+12065550142";
const bob = "tel:+12065550143";
const uuid = "5d1c7b0e-6f6e-4d0b-8c58-0f3c3d7f1a21";

const read = (body: unknown, replyToSender = false): ReplyReading =>
  readReply(typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body), { replyToSender });

function check(body: unknown, expected: Partial<Reply> | "none" | ReplyRefusal): void {
  const reading = read(body);
  if (reading.kind === "ignored") {
    expect(reading.reason).toBe(expected);
    expect(reading.detail.length).toBeLessThan(200);
  } else if (reading.kind === "none") {
    expect("none").toBe(expected);
  } else {
    expect(reading.reply).toEqual({ urns: [], contacts: [], text: "Thanks", ...(expected as Partial<Reply>) });
  }
}

describe("a reply", () => {
  it.each<[name: string, body: unknown, reply: Partial<Reply>]>([
    ["to a URN", { urn: [ada], text: "Thanks" }, { urns: [ada] }],
    ["to a contact and a URN", { contact: [uuid], urn: [bob], text: "Thanks" }, { contacts: [uuid], urns: [bob] }],
    ["with a string for an array", { urn: ada, contact: uuid, text: "Thanks" }, { contacts: [uuid], urns: [ada] }],
    ["with the historic phone", { phone: ["+12065550142"], text: "Thanks" }, { urns: [ada] }],
    ["with one phone as a string", { phone: "+1 (206) 555-0142", text: "Thanks" }, { urns: [ada] }],
    ["with a phone without plus", { phone: "12065550142", text: "Thanks" }, { urns: [ada] }],
    ["with a short code", { phone: "3636", text: "Thanks" }, { urns: ["tel:3636"] }],
    [
      "with phone and contact",
      { phone: "+12065550142", contact: uuid, text: "Thanks" },
      { urns: [ada], contacts: [uuid] },
    ],
    ["with 100 phones", { phone: phones(100), text: "Thanks" }, { urns: phones(100).map((phone) => `tel:${phone}`) }],
    ["that names somebody twice", { urn: [ada, "TEL:+1 206 555 0142", ada], text: "Thanks" }, { urns: [ada] }],
    ["that names a contact twice", { contact: [uuid, uuid.toUpperCase()], text: "Thanks" }, { contacts: [uuid] }],
    ["with a channel", { urn: ada, text: "Thanks", channel: 31 }, { urns: [ada], channel: 31 }],
    ["with a channel that is none", { urn: ada, text: "Thanks", channel: "x" }, { urns: [ada] }],
    ["with null and unknown keys", { urn: ada, contact: null, phone: null, text: "Thanks", foo: 1 }, { urns: [ada] }],
    ["in white space", `\r\n ${JSON.stringify({ urn: ada, text: "Thanks" })}\n`, { urns: [ada] }],
    ["behind a byte order mark", `\uFEFF${JSON.stringify({ urn: ada, text: "Thanks" })}`, { urns: [ada] }],
    ["that keeps its spaces", { urn: ada, text: " Thanks\n" }, { urns: [ada], text: " Thanks\n" }],
    ["of 480 characters", { urn: ada, text: "é".repeat(480) }, { urns: [ada], text: "é".repeat(480) }],
    ["of 480 emoji", { urn: ada, text: "💧".repeat(480) }, { urns: [ada], text: "💧".repeat(480) }],
    ["with half an emoji", `{"urn":"${ada}","text":"a\\ud83d"}`, { urns: [ada], text: "a\uFFFD" }],
    ["with another scheme", { urn: "mailto:ada@example.org", text: "Thanks" }, { urns: ["mailto:ada@example.org"] }],
    ["with a key __proto__", `{"__proto__":{"text":"x"},"urn":"${ada}","text":"Thanks"}`, { urns: [ada] }],
  ])("%s", (_name, body, reply) => {
    check(body, reply);
    check(typeof body === "string" ? new TextEncoder().encode(body) : body, reply);
  });
});

describe("an empty answer", () => {
  it.each(["", " \r\n\t", "\uFEFF", "{}", " { } ", new Uint8Array()])("%j", (body) => {
    check(body, "none");
  });
});

describe("ignored", () => {
  it.each<[reason: ReplyRefusal, body: unknown]>([
    ["not-json", "OK"],
    ["not-json", "<html><body>Thanks</body></html>"],
    ["not-json", '{"text":"Thanks"'],
    ["not-json", "event=mo_sms&text=hi"],
    ["not-json", new Uint8Array([0xff, 0xfe, 0x7b, 0x00])],
    ["not-an-object", "[]"],
    ["not-an-object", "null"],
    ["not-an-object", '"Thanks"'],
    ["not-an-object", "12"],
    ["no-text", { status: "ok" }],
    ["no-text", { urn: [ada] }],
    ["no-text", { urn: [ada], text: null }],
    ["no-text", { urn: [ada], text: "" }],
    ["no-text", { urn: [ada], text: " \n" }],
    ["no-text", `{"__proto__":{"text":"x"},"urn":"${ada}"}`],
    ["bad-text", { urn: [ada], text: 12 }],
    ["bad-text", { urn: [ada], text: ["Thanks"] }],
    ["bad-text", { urn: [ada], text: { eng: "Thanks" } }],
    ["text-too-long", { urn: [ada], text: "x".repeat(481) }],
    ["text-too-long", { urn: [ada], text: "💧".repeat(481) }],
    ["bad-urn", { urn: ["+12065550142"], text: "Thanks" }],
    ["bad-urn", { urn: [ada, 12], text: "Thanks" }],
    ["bad-urn", { urn: [[ada]], text: "Thanks" }],
    ["bad-urn", { urn: { tel: "+12065550142" }, text: "Thanks" }],
    ["bad-urn", { urn: "", text: "Thanks" }],
    ["bad-urn", { phone: ["nobody"], text: "Thanks" }],
    ["bad-urn", { phone: [12065550142], text: "Thanks" }],
    ["bad-urn", { phone: phones(101), text: "Thanks" }],
    ["bad-contact", { contact: ["Ada"], text: "Thanks" }],
    ["bad-contact", { contact: 5, text: "Thanks" }],
    ["bad-contact", { urn: ada, contact: [`${uuid}0`], text: "Thanks" }],
    ["urn-and-phone", { urn: [ada], phone: ["+12065550142"], text: "Thanks" }],
    ["no-recipient", { text: "Thanks" }],
    ["no-recipient", { urn: [], contact: [], phone: [], text: "Thanks" }],
    ["no-recipient", { urn: null, text: "Thanks" }],
  ])("%s: %j", (reason, body) => {
    check(body, reason);
  });

  it("hostile bodies do no harm", () => {
    expect(read("[".repeat(60_000)).kind).toBe("ignored");
    expect(read(`{"text":${"[".repeat(30_000)}${"]".repeat(30_000)}}`)).toMatchObject({ reason: "bad-text" });
    expect(read("[".repeat(100_000))).toMatchObject({ reason: "body-too-long" });
    expect(read(" ".repeat(replyBytesMax + 1))).toMatchObject({ reason: "body-too-long" });
    expect(readReply("{}", { replyToSender: false, bodyBytes: replyBytesMax + 1 })).toMatchObject({
      reason: "body-too-long",
    });
    expect(({} as { text?: string }).text).toBeUndefined();
    const anyBytes = fc.uint8Array({ maxLength: 200 });
    const anyJson = fc.jsonValue().map((value) => JSON.stringify(value));
    const anyMembers = fc.dictionary(fc.constantFrom("text", "urn", "phone", "contact", "channel"), fc.jsonValue());
    fc.assert(
      fc.property(fc.oneof(anyBytes, anyJson, anyMembers), (body) => {
        const reading = read(body);
        if (reading.kind !== "reply") return;
        expect(reading.reply.urns.length + reading.reply.contacts.length).toBeGreaterThan(0);
      }),
    );
  });
});

it("a reply to the sender needs no recipient", () => {
  expect(read({ text: "Thanks" }, true)).toEqual({ kind: "reply", reply: { urns: [], contacts: [], text: "Thanks" } });
  expect(read({ status: "ok" }, true)).toMatchObject({ reason: "no-text" });
});

it("the detail names the place, the expected value and the actual one", () => {
  expect(read({ urn: [ada, "Bob"], text: "Thanks" })).toMatchObject({
    detail: `'urn[1]' must be a URN such as ${ada}, got "Bob"`,
  });
  expect(read({ urn: ada, text: "x".repeat(481) })).toMatchObject({
    detail: "'text' has 481 characters, at most 480 are allowed",
  });
});

function phones(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `+1206555${String(index).padStart(4, "0")}`);
}
