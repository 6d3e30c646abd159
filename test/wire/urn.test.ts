import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  distinctUrns,
  isUrnScheme,
  normaliseUrn,
  phoneOfUrn,
  readableUrn,
  storedUrn,
  urnFault,
  urnIdentity,
  urnSchemes,
  withoutDisplay,
} from "../../src/wire/index.js";
import { anyText } from "./arbitraries.js";

describe("an address in a body", () => {
  it.each([
    ["tel:+254711000222", "tel:+254711000222"],
    ["TEL: +254 (711) 000-222 ", "tel:+254711000222"],
    ["tel: 254711000222", "tel:+254711000222"],
    ["tel:254711000222", "tel:+254711000222"],
    ["tel:12065550142", "tel:+12065550142"],
    ["whatsapp: 254711000222 ", "whatsapp:254711000222"],
    ["whatsapp:0", "whatsapp:0"],
    ["twitter:@Field_Staff", "twitter:field_staff"],
    ["telegram:1234", "telegram:1234"],
    ["facebook:1234", "facebook:1234"],
    ["facebook:ref:Abc", "facebook:ref:Abc"],
    ["mailto: Amina@Example.ORG", "mailto:amina@example.org"],
    ["viber:Abc0_=", "viber:Abc0_="],
    ["ext:A b:c", "ext:A b:c"],
    ["line:X", "line:X"],
    ["jiochat:X", "jiochat:X"],
    ["fcm:X", "fcm:X"],
    ["ws:X", "ws:X"],
  ])("%s is %s", (text, expected) => {
    expect(normaliseUrn(text)).toBe(expected);
    expect(normaliseUrn(expected)).toBe(expected);
    expect(urnIdentity(text)).toBe(expected);
  });

  it.each([
    ["tel: 254 711 000222 # Amina ", "tel:+254711000222#Amina", "tel:+254711000222"],
    ["twitter:@Field_Staff#Field Staff", "twitter:field_staff#Field Staff", "twitter:field_staff"],
    ["twitterid:123#bob", "twitterid:123#bob", "twitterid:123"],
    ["twitterid:123# ", "twitterid:123", "twitterid:123"],
    ["ext:a:b#c?d", "ext:a:b#c?d", "ext:a:b"],
    ["whatsapp:254711000222#Amina", "whatsapp:254711000222#Amina", "whatsapp:254711000222"],
  ])("%s keeps its display part, which does not count", (text, expected, identity) => {
    expect(normaliseUrn(text)).toBe(expected);
    expect(normaliseUrn(expected)).toBe(expected);
    expect(storedUrn(text)).toBe(expected);
    expect(urnIdentity(text)).toBe(identity);
    expect(withoutDisplay(expected)).toBe(identity);
  });

  it.each([
    "",
    "tel",
    "tel:",
    "tel: ",
    "tel:#Amina",
    "tel:0788123123",
    "tel:00254711000222",
    "tel:3636",
    "tel:MTN",
    "tel:+2547",
    "tel:+254711000222x5",
    "+254711000222",
    "wechat:abc",
    "constructor:abc",
    "whatsapp:+254711000222",
    "whatsapp:254 711",
    "whatsapp:amina",
    "twitterid:123#a#b",
    `twitterid:123#${"b".repeat(242)}`,
    "twitter:field-staff",
    "twitter:sixteen_letters_",
    "twitterid:field",
    "telegram:field",
    "facebook:field",
    "facebook:ref:",
    "mailto:amina",
    "mailto:amina@example",
    "mailto:a b@example.org",
    "mailto:a@b@example.org",
    "viber:a-b",
    `viber:${"x".repeat(25)}`,
    `ext:${"x".repeat(252)}`,
  ])("'%s' is refused", (text) => {
    expect(normaliseUrn(text)).toBeUndefined();
  });

  it("may be 255 characters long", () => {
    const urn = `ext:${"x".repeat(251)}`;
    expect(normaliseUrn(urn)).toBe(urn);
  });

  it("in strict mode must be a valid number of its country", () => {
    expect(normaliseUrn("tel:+254711000222", { strict: true })).toBe("tel:+254711000222");
    for (const invented of ["tel:+12345678", "tel:+999123456"]) {
      expect(normaliseUrn(invented)).toBe(invented);
      expect(normaliseUrn(invented, { strict: true })).toBeUndefined();
    }
    expect(normaliseUrn("ext:7", { strict: true })).toBe("ext:7");
  });

  it.each([
    ["whatsapp:+254711000222", "A whatsapp path is a number with its country code, in digits only, without +."],
    ["twitterid:123#a#b", "Only one # may occur, before the display part."],
    [`ext:${"x".repeat(252)}`, "A URN has at most 255 characters."],
    ["twitterid:bob", "The path is not valid for the scheme twitterid."],
  ])("%s is refused with its cure", (text, expected) => {
    expect(normaliseUrn(text)).toBeUndefined();
    expect(urnFault(text)).toBe(expected);
  });

  it("has one normal form", () => {
    const scheme = fc.constantFrom(...urnSchemes);
    fc.assert(
      fc.property(scheme, anyText, (name, path) => {
        const urn = normaliseUrn(`${name}:${path}`);
        fc.pre(urn !== undefined);
        expect(normaliseUrn(urn)).toBe(urn);
        expect(storedUrn(urn)).toBe(urn);
        expect(urnIdentity(urn)).toBe(withoutDisplay(urn));
        expect(urn.length).toBeLessThanOrEqual(255);
      }),
    );
  });
});

it("short codes and names of senders are looked up in stored form", () => {
  expect(urnIdentity("tel:3636")).toBe("tel:3636");
  expect(urnIdentity("TEL: MTN")).toBe("tel:MTN");
  expect(storedUrn("tel:MTN#The network")).toBe("tel:MTN#The network");
  expect(urnIdentity("mailto:AMINA")).toBe("mailto:AMINA");
  expect(urnIdentity("wechat:abc")).toBeUndefined();
  expect(urnIdentity("Amina")).toBeUndefined();
});

it.each([
  ["tel:+250788123123", "0788 123 123"],
  ["tel:+12065550142", "(206) 555-0142"],
  ["tel:3636", "3636"],
  ["tel:MTN", "MTN"],
  ["twitterid:1234#amina", "amina"],
  ["mailto:amina@example.org", "amina@example.org"],
])("people read %s as %s", (urn, expected) => {
  expect(readableUrn(urn)).toBe(expected);
});

it("addresses that differ in their display parts are one", () => {
  expect(distinctUrns(["twitterid:1#bob", "tel:+250788123123", "twitterid:1", "twitterid:2#bob"])).toEqual([
    "twitterid:1#bob",
    "tel:+250788123123",
    "twitterid:2#bob",
  ]);
  expect(phoneOfUrn("tel:+250788123123#Amina")).toBe("+250788123123");
  expect(phoneOfUrn("twitterid:1#tel")).toBeUndefined();
});

it("schemes are lower case", () => {
  expect(isUrnScheme("tel")).toBe(true);
  expect(isUrnScheme("TEL")).toBe(false);
  expect(isUrnScheme("toString")).toBe(false);
});
