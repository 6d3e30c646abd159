import { describe, expect, it } from "vitest";
import { formatUrn, isE164, normalisePhone, parseUrn, phoneCountry, phoneKind, telUrn } from "../../src/wire/index.js";

describe("phones", () => {
  it.each([
    ["+250788000000", "RW"],
    ["+25078800", "RW"],
    ["+12065550142", "US"],
    ["+14165550100", "CA"],
    ["+447700900123", "GB"],
    ["+999123456789", undefined],
    ["+88312345678", undefined],
    ["3636", undefined],
    ["MTN", undefined],
  ])("the country of %s is %s", (phone, country) => {
    expect(phoneCountry(phone)).toBe(country);
  });

  it.each([
    ["+12065550142", "e164"],
    ["+250788000000", "e164"],
    ["+2907123", "e164"],
    ["3636", "short-code"],
    ["100", "short-code"],
    ["MTN", "name"],
    ["My Bank 24", "name"],
    ["Électricité", "name"],
    ["", undefined],
    ["+0788123123", undefined],
    ["+1206555014212345", undefined],
    ["+123456", undefined],
    ["0788123123", undefined],
    ["12065550142", undefined],
    [" MTN", undefined],
    ["A name too long", undefined],
    ["+1206555014x", undefined],
  ])("'%s' is %s", (text, kind) => {
    expect(phoneKind(text)).toBe(kind);
    expect(isE164(text)).toBe(kind === "e164");
  });

  it.each([
    ["+12065550142", undefined, "+12065550142"],
    ["+1 (206) 555-0142", undefined, "+12065550142"],
    [" +250 788 000 000\n", undefined, "+250788000000"],
    ["12065550142", undefined, "+12065550142"],
    ["0788123123", "RW", "+250788123123"],
    ["0788123123", "rw", "+250788123123"],
    ["(206) 555-0142", "US", "+12065550142"],
    ["0788123123", undefined, undefined],
    ["0788123123", "XX", undefined],
    ["3636", undefined, undefined],
    ["MTN", "RW", undefined],
    ["call +12065550142", "US", undefined],
    ["+12065550142 ext. 5", undefined, undefined],
    ["+1206", undefined, undefined],
    ["", "RW", undefined],
  ])("'%s' in country %s becomes %s", (text, country, expected) => {
    expect(normalisePhone(text, country === undefined ? {} : { country })).toBe(expected);
  });
});

describe("URNs", () => {
  it.each([
    ["tel:+12065550142", "tel", "+12065550142"],
    ["TEL: +1 206 555 0142", "tel", "+12065550142"],
    ["tel:3636", "tel", "3636"],
    ["tel:MTN", "tel", "MTN"],
    ["mailto:ada@example.org", "mailto", "ada@example.org"],
    ["ext:a:b", "ext", "a:b"],
  ])("%s", (text, scheme, path) => {
    const urn = parseUrn(text);
    expect(urn).toEqual({ scheme, path });
    expect(formatUrn({ scheme, path })).toBe(`${scheme}:${path}`);
    expect(parseUrn(`${scheme}:${path}`)).toEqual(urn);
  });

  it.each(["", "tel", "tel:", "tel: ", ":+12065550142", "+12065550142", "tel:0788123123", `ext:${"x".repeat(252)}`])(
    "'%s' is not a URN",
    (text) => {
      expect(parseUrn(text)).toBeUndefined();
    },
  );

  it("of a phone", () => {
    expect(telUrn("+12065550142")).toBe("tel:+12065550142");
  });
});
