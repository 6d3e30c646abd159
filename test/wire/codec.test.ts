import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeEvent,
  encodeDecoded,
  encodeEvent,
  encodeForm,
  eventFields,
  eventTypes,
  namesIn,
  parseForm,
  spellings,
  type FlowEvent,
  type FormPair,
  type KnownEvent,
  type ServiceEvent,
  type Spelling,
} from "../../src/wire/index.js";
import { anyEvent, anyPairs, anyText } from "./arbitraries.js";
import { bodies } from "./bodies.js";
import { runs } from "../support/effort.js";

const spelling = fc.constantFrom(...spellings);
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD");

describe("forms", () => {
  it("are encoded like URLSearchParams does", () => {
    fc.assert(
      fc.property(anyPairs, (pairs) => {
        expect(encodeForm(pairs)).toBe(new URLSearchParams(pairs as [string, string][]).toString());
      }),
    );
  });

  it("decode to the encoded pairs", () => {
    fc.assert(
      fc.property(anyPairs, (pairs) => {
        expect(parseForm(encodeForm(pairs))).toEqual(pairs.map((pair) => pair.map(wellFormed)));
      }),
    );
  });

  it.each<[body: string, pairs: FormPair[]]>([
    ["", []],
    ["time=2026-03-02T08:15:04.250&text=$5", [["time", "2026-03-02T08:15:04.250"], ["text", "$5"]]], // prettier-ignore
    ["a=x+y%20z", [["a", "x y z"]]],
    ["a=50%&b=%zz&c=%4", [["a", "50%"], ["b", "%zz"], ["c", "%4"]]], // prettier-ignore
    ["a=%FF%C3", [["a", "\uFFFD\uFFFD"]]],
    ["a&&b==c&=d", [["a", ""], ["b", "=c"], ["", "d"]]], // prettier-ignore
    ["?a=1", [["?a", "1"]]],
    ["a=1&a=2", [["a", "1"], ["a", "2"]]], // prettier-ignore
  ])("reads %s", (body, pairs) => {
    expect(parseForm(body)).toEqual(pairs);
  });
});

/** The fields of an event that a spelling carries. */
function visible(event: KnownEvent, spelling: Spelling): object {
  const seen: Record<string, unknown> = {};
  for (const field of eventFields[event.event]) {
    const value = (event as unknown as Record<string, unknown>)[field.property];
    if (value === undefined || namesIn(field, spelling).length === 0) continue;
    seen[field.property] = typeof value === "string" ? wellFormed(value) : value;
  }
  // A historic flow post is recognised by its other fields.
  seen["event"] = event.event;
  if (spelling === "historic") return seen;
  // The tables map the phone's five codes to two words.
  if ("powerStatus" in seen) seen["powerStatus"] = ["CHA", "FUL"].includes(String(seen["powerStatus"])) ? "CHA" : "DIS";
  if (event.event === "flow") {
    seen["values"] = event.values.map(({ label, category, value, text, time }) => ({
      label,
      category,
      value,
      text,
      time,
    }));
  }
  return seen;
}

describe("events", () => {
  it("decode in every spelling, and the spelling is recognised", () => {
    fc.assert(
      fc.property(anyEvent, spelling, (event, spelling) => {
        const body = encodeEvent(event, { spelling, sampleStatus: true });
        const decoded = decodeEvent(body);
        expect(decoded.event).toEqual(visible(event, spelling));
        expect(decoded.problems).toEqual([]);
        expect(decoded.extra).toEqual([]);
        // Table and sample name the fields of a flow event alike.
        expect(decoded.spelling).toBe(event.event === "flow" && spelling === "both" ? "table" : spelling);
        expect(encodeDecoded(decoded)).toBe(body);
        expect(encodeEvent(decoded.event as ServiceEvent, { spelling, sampleStatus: true })).toBe(body);
      }),
      { numRuns: runs(200) },
    );
  });

  it("in spelling 'both' are a superset of the table and of the sample", () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const pairsIn = (spelling: Spelling): string[] => encodeEvent(event, { spelling }).split("&");
        const both = pairsIn("both");
        expect(both).toEqual([...new Set(both)]);
        expect(new Set(both)).toEqual(new Set([...pairsIn("table"), ...pairsIn("sample")]));
      }),
    );
  });

  it("never lose a pair, whatever the body", () => {
    const names = [
      ...new Set(eventTypes.flatMap((type) => eventFields[type].flatMap((field) => namesIn(field, "both")))),
    ];
    const key = fc.oneof(fc.constantFrom("event", "channel", "occurred_on", ...names), anyText);
    const value = fc.oneof(
      fc.constantFrom(
        "31",
        "031",
        "abc",
        "-1",
        "2026-03-02T08:15:04.2",
        "2026-03-02T08:15:04.123456",
        "CHA",
        "I",
        "[{}]",
      ),
      anyText,
    );
    const pairs = fc.array(fc.tuple(key, value), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...eventTypes, "power_restored"), pairs, (type, rest) => {
        const body = encodeForm([["event", type], ...rest]);
        const decoded = decodeEvent(body);
        expect(encodeDecoded(decoded)).toBe(body);
        expect(decoded.pairs.map(({ key, value }) => [key, value])).toEqual(parseForm(body));
      }),
      { numRuns: runs(200) },
    );
    fc.assert(
      fc.property(anyText, (body) => {
        expect(parseForm(encodeDecoded(decodeEvent(body)))).toEqual(parseForm(body));
      }),
    );
  });
});

const table =
  "event=mo_sms&relayer=31&relayer_phone=%2B12065550110&sms=90430&phone=%2B12065550142&text=hi&status=D&direction=I" +
  "&time=2026-03-02T08%3A15%3A04.250";

describe("reading", () => {
  it("an unknown type keeps its pairs", () => {
    const body = "event=power_restored&relayer=31&relayer_phone=%2B12065550110";
    const decoded = decodeEvent(body);
    expect(decoded.event).toEqual({
      event: "power_restored",
      pairs: [
        ["event", "power_restored"],
        ["relayer", "31"],
        ["relayer_phone", "+12065550110"],
      ],
    });
    expect(encodeEvent(decoded.event as ServiceEvent, { spelling: "historic" })).toBe(body);
    expect(decoded.missing).toEqual([]);
  });

  it("a body that is not an event", () => {
    expect(decodeEvent("").event).toEqual({ event: "", pairs: [] });
    expect(decodeEvent("hello").event).toEqual({ event: "", pairs: [["hello", ""]] });
  });

  it("reports unreadable values and keeps them", () => {
    const decoded = decodeEvent(table.replace("sms=90430", "sms=abc").replace("04.250", "04,250"));
    expect(decoded.problems).toEqual([
      { field: "sms", value: "abc", expected: "a whole number" },
      { field: "time", value: "2026-03-02T08:15:04,250", expected: "a time such as 2026-03-02T08:15:04.250" },
    ]);
    expect(decoded.extra).toEqual([
      ["sms", "abc"],
      ["time", "2026-03-02T08:15:04,250"],
    ]);
    expect(decoded.missing).toEqual(["sms", "time"]);
  });

  it("keeps repeated and unknown keys, and reports two names that contradict each other", () => {
    const decoded = decodeEvent(`${table}&attachments=a&attachments=b&relayer=31&channel=32`);
    expect(decoded.extra).toEqual([
      ["attachments", "a"],
      ["attachments", "b"],
      ["channel", "32"],
    ]);
    expect(decoded.problems).toEqual([{ field: "channel", value: "32", expected: "31, as said before" }]);
    expect(decoded.event).toMatchObject({ relayer: 31 });
  });

  it("six digits of a fraction alone mean the historic spelling", () => {
    const decoded = decodeEvent(table.replace("04.250", "04.250000"));
    expect(decoded.spelling).toBe("historic");
    expect(decoded.event).toEqual(decodeEvent(table).event);
  });

  it("accepts every form of time", () => {
    const body = table.replace("04.250", "04.2Z");
    expect(encodeDecoded(decodeEvent(body))).toBe(body);
  });

  it("a changed field is encoded in the spelling of the body", () => {
    const late = bodies.moMissLate;
    const decoded = decodeEvent(late);
    const changed = { ...decoded, event: { ...decoded.event, phone: "3636", time: 0 } as KnownEvent };
    const news = new Map([
      ["phone", "3636"],
      ["occurred_on", "1970-01-01T00:00:00.000000"],
    ]);
    expect(parseForm(encodeDecoded(changed))).toEqual(
      parseForm(late).map(([key, value]) => [key, news.get(key) ?? value]),
    );
  });

  it("flow values may lack keys and name their category in several languages", () => {
    const values = [
      { label: "Q", category: { fra: "Oui", eng: "Yes" }, text: "y", time: "2026-03-02T08:40:12.118204Z" },
    ];
    const body = encodeForm([
      ["event", "flow"],
      ["flow_base_language", "eng"],
      ["values", JSON.stringify(values)],
    ]);
    const event = decodeEvent(body).event as FlowEvent;
    expect(event.values).toEqual([
      { label: "Q", category: "Yes", value: "", text: "y", time: Date.parse("2026-03-02T08:40:12.118Z") + 0.204 },
    ]);
    expect(encodeDecoded(decodeEvent(body))).toBe(body);
  });

  it.each(["[", "{}", "[1]", '[{"time":"noon"}]', "[[]]", "null"])("flow values '%s' are a problem", (values) => {
    const decoded = decodeEvent(encodeForm([["event", "flow"], ["values", values]])); // prettier-ignore
    expect(decoded.problems).toHaveLength(1);
    expect(decoded.extra).toEqual([["values", values]]);
  });
});

describe("writing", () => {
  const event = decodeEvent(table).event as KnownEvent;

  it("omits absent fields and sends empty ones", () => {
    const { status: _, ...rest } = event as KnownEvent & { status: string };
    const body = encodeEvent({ ...rest, text: "" } as KnownEvent, { spelling: "table" });
    expect(body).toContain("&text=&direction=I");
    expect(body).not.toContain("status");
    expect(encodeEvent({ ...event, status: null } as unknown as KnownEvent, { spelling: "table" })).not.toContain(
      "status",
    );
  });

  it("the sample spelling carries status and direction on request", () => {
    expect(encodeEvent(event, { spelling: "sample" })).not.toMatch(/status|direction/);
    expect(encodeEvent(event, { spelling: "sample", sampleStatus: true })).toContain(
      "&text=hi&status=D&direction=I&time=",
    );
  });

  it("a lone surrogate becomes U+FFFD", () => {
    expect(encodeEvent({ ...event, text: "a\ud83db" } as KnownEvent, { spelling: "table" })).toContain(
      "text=a%EF%BF%BDb&",
    );
  });

  it("ids beyond 2^31 stay exact", () => {
    const big = encodeEvent({ ...event, sms: 2 ** 53 - 1 } as KnownEvent, { spelling: "table" });
    expect(big).toContain("sms=9007199254740991&");
    expect(decodeEvent(big).event).toMatchObject({ sms: 2 ** 53 - 1 });
  });
});
