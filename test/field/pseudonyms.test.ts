import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { EventPseudonyms, type FieldEvent, importLog, Keywords, Pseudonyms } from "../../src/field/index.js";
import { encodeForm, parseForm, phoneCountry } from "../../src/wire/index.js";
import { segmentsOf } from "../../src/wire/index.js";
import { readableOf } from "./read-lines.js";

const folder = mkdtempSync(join(tmpdir(), "pseudonyms-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = Buffer.alloc(32, 7);
const word = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from("abcdefgÉèñABC")), minLength: 1, maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(...Array.from("ЖжяПçêő")), minLength: 1, maxLength: 6 }),
  fc.string({ unit: fc.constantFrom(...Array.from("你好世界አማርኛनमस")), minLength: 1, maxLength: 5 }),
  fc.nat({ max: 999_999 }).map(String),
  fc.constantFrom("join", "JOIN", "😀", "a1b2", "{x}", "€5", "it's"),
);
const text = fc
  .array(word, { maxLength: 12 })
  .chain((words) =>
    fc
      .array(fc.constantFrom(" ", "  ", "\n", ", "), { minLength: words.length, maxLength: words.length })
      .map((gaps) => words.map((one, index) => one + (gaps[index] ?? "")).join("")),
  );
const e164 = fc
  .tuple(
    fc.constantFrom("+250", "+254", "+1206", "+1416", "+7701", "+7912", "+44", "+91", "+243"),
    fc.integer({ min: 1_000_000, max: 9_999_999 }),
    fc.constantFrom("", "78", "9"),
  )
  .map(([code, rest, network]) => `${code}${network}${rest}`.slice(0, 16));

describe("what pseudonyms keep of a text", () => {
  const pseudonyms = new Pseudonyms(key, new Set(["join"]));

  test("length, alphabet, segments, spaces, signs, numbers and keywords", () => {
    fc.assert(
      fc.property(text, (one) => {
        const other = pseudonyms.text(one);
        expect(other.length).toBe(one.length);
        expect(segmentsOf(other)).toEqual(segmentsOf(one));
        expect(segmentsOf(other.repeat(7))).toEqual(segmentsOf(one.repeat(7)));
        const outside = (all: string): string => all.replace(/[\p{L}\p{N}]/gu, "x");
        expect(outside(other)).toBe(outside(one));
        const words = one.split(/[\s,]+/);
        other.split(/[\s,]+/).forEach((replaced, index) => {
          const original = words[index] ?? "";
          if (/^\d+$/.test(original) || /^join$/i.test(original)) expect(replaced).toBe(original);
        });
      }),
    );
  });

  test("texts are equal exactly where they were equal, and never a keyword by chance", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(pseudonyms.text(one) === pseudonyms.text(other)).toBe(one === other);
        expect(pseudonyms.text(one)).toBe(new Pseudonyms(key, new Set(["join"])).text(one));
      }),
    );
    const short = "abcdefghijklmnopqrstuvwxyz".split("");
    const pairs = short.flatMap((a) => short.map((b) => a + b));
    const kept = new Set(["ab", "no", "ok"]);
    const small = new Pseudonyms(key, kept);
    expect(new Set(pairs.map((one) => small.text(one))).size).toBe(pairs.length);
    expect(pairs.filter((one) => kept.has(small.text(one)))).toEqual([...kept]);
  });

  test("another key gives other words", () => {
    const other = new Pseudonyms(Buffer.alloc(32, 8));
    expect(other.text("welcome amina")).not.toBe(pseudonyms.text("welcome amina"));
  });

  test("a number that somebody wrote in groups is replaced, a date is not", () => {
    expect(pseudonyms.text("call 0788 123 456")).not.toContain("123 456");
    expect(pseudonyms.text("+250 788 123 456").replaceAll(" ", "")).toBe(pseudonyms.phone("+250788123456"));
    expect(pseudonyms.text("on 02-03-2026 12 bags").replace(/[a-z]+/g, "")).toBe(" 02-03-2026 12 ");
  });
});

describe("what pseudonyms keep of a number", () => {
  const pseudonyms = new Pseudonyms(key);

  test("country and length; the same sender has the same number, and nobody else has it", () => {
    fc.assert(
      fc.property(e164, e164, (one, other) => {
        const replaced = pseudonyms.phone(one);
        expect(replaced.length).toBe(one.length);
        expect(phoneCountry(replaced)).toBe(phoneCountry(one));
        expect(replaced === pseudonyms.phone(other)).toBe(one === other);
        expect(pseudonyms.phone(one.slice(1))).toMatch(/^\d+$/);
      }),
      { numRuns: 60 },
    );
  });

  test("the number has the same pseudonym with and without its plus, and in a text", () => {
    const replaced = pseudonyms.phone("+250788123456");
    expect(pseudonyms.phone("250788123456")).toBe(replaced.slice(1));
    expect(pseudonyms.text("send to +250788123456")).toContain(replaced);
  });

  test("short codes stay", () => expect(pseudonyms.phone("3636")).toBe("3636"));
});

describe("events", () => {
  const replace = new EventPseudonyms(new Pseudonyms(key), "on");
  const eventOf = (pairs: readonly (readonly [string, string])[], more: Partial<FieldEvent> = {}): FieldEvent => ({
    place: 1,
    atMs: 0,
    body: encodeForm(pairs),
    ...more,
  });

  test("ids, times and words of the service stay, byte for byte", () => {
    const body =
      "event=alarm&relayer=31&power_level=12&power_status=DISCHARGING&network_type=UMTS&last_seen=2026-03-02T08:20:00.000" +
      "&sms=9007199254740991&duration=0&status=D&time=2026-03-02T08%3A15%3A04.250000Z&flow_name=Sign+up";
    expect(replace.event({ place: 1, atMs: 0, body }).body).toBe(body);
  });

  test("no number, name, text, UUID or secret survives in body, path or answer", () => {
    const uuid = "d33e9ad5-5c35-414c-abd4-e7451c69ff1d";
    const event = eventOf(
      [
        ["event", "mo_sms"],
        ["relayer_phone", "+250788000001"],
        ["phone", "+250788123456"],
        ["text", `I am Amina, ${uuid}`],
        ["contact", uuid],
        ["contact_name", "Amina Uwase"],
        ["urn", "tel:+250788123456"],
        ["api_token", "5f3a9b1c77de"],
        ["national_id", "1198780012345678"],
        ["extra", JSON.stringify({ name: "Amina", msisdn: "250788123456", label: "kept" })],
        [
          "values",
          JSON.stringify([{ label: "age group", category: "All Responses", value: "Amina", text: "Uwase 12" }]),
        ],
      ],
      {
        path: `/hook/9c1e44d0aa71b2f3?token=s3cretToken&secret=hunter2&phone=%2B250788123456`,
        answer: {
          status: 200,
          body: JSON.stringify({ text: "Welcome Amina", to: ["+250788123456"], token: "s3cretToken" }),
        },
      },
    );
    const { body, path, answer } = replace.event(event);
    const all = `${body} ${decodeURIComponent(body.replaceAll("+", " "))} ${path} ${answer?.body}`;
    for (const gone of [
      /amina/i,
      /uwase/i,
      /788123456/,
      /788000001/,
      /d33e9ad5/,
      /5f3a9b1c/,
      /0012345678/,
      /s3cret/i,
      /hunter2/,
      /9c1e44d0/,
    ]) {
      expect(all).not.toMatch(gone);
    }
    const pairs = new Map(parseForm(body));
    expect(pairs.get("urn")).toBe(`tel:${pairs.get("phone")}`);
    expect(pairs.get("text")?.endsWith(pairs.get("contact") ?? "-")).toBe(true);
    expect(JSON.parse(pairs.get("values") ?? "")).toMatchObject([{ label: "age group", category: "All Responses" }]);
    expect(JSON.parse(answer?.body ?? "")).toMatchObject({ to: [pairs.get("phone")] });
    expect(path).toMatch(/^\/hook\/[^/?]{16}\?token=/);
  });

  test("keep-texts keeps texts and answers only", () => {
    const texts = new EventPseudonyms(new Pseudonyms(key), "keep-texts");
    const { body } = texts.event(
      eventOf([
        ["event", "mo_sms"],
        ["phone", "+250788123456"],
        ["text", "bags 12"],
      ]),
    );
    expect(new Map(parseForm(body)).get("text")).toBe("bags 12");
    expect(body).not.toContain("788123456");
  });

  test("any other field's value keeps its length; bodies stay forms", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("a", "b", "text", "phone"), text), { minLength: 1 }), (pairs) => {
        const { body } = replace.event(eventOf(pairs));
        expect(parseForm(body).map(([name, value]) => [name, value.length])).toEqual(
          pairs.map(([name, value]) => [name, value.length]),
        );
      }),
    );
  });
});

test("keywords occur more than ten times, and are no part of a name", () => {
  const keywords = new Keywords();
  for (let count = 0; count < 11; count++) keywords.addText("Join Amina 12 9f8e7d6c5b4a39281706");
  for (let count = 0; count < 10; count++) keywords.addText("rare");
  keywords.addName("Amina Uwase");
  expect([...keywords.found()]).toEqual(["join"]);
});

describe("the key", () => {
  const line = '{"at": 1772439306, "body": "event=mo_sms&phone=%2B250788123456&text=hello"}';
  const bodies = async (options: Parameters<typeof importLog>[1]): Promise<string[]> => {
    const log = await importLog(["-"], { ...options, stdin: readableOf(line) });
    try {
      return Array.from(log.events(), ({ body }) => body);
    } finally {
      log.close();
    }
  };

  test("a missing file is created for its owner only, and gives the same pseudonyms again", async () => {
    const path = join(folder, "a.key");
    const first = await bodies({ key: path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).toMatch(/^[\da-f]{64}\n$/);
    expect(await bodies({ key: path })).toEqual(first);
    expect(first[0]).not.toContain("788123456");
    expect(await bodies({})).not.toEqual(first);
  });

  test("off keeps the bytes; a file that is no key is refused", async () => {
    expect(await bodies({ pseudonyms: "off" })).toEqual(["event=mo_sms&phone=%2B250788123456&text=hello"]);
    const path = join(folder, "b.key");
    writeFileSync(path, "not a key");
    await expect(bodies({ key: path })).rejects.toMatchObject({ code: "bad-options" });
  });
});
