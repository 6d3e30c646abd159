import { describe, expect, it } from "vitest";
import { callFunction, ErrorValue, toText } from "../../src/expression/index.js";
import { environment } from "./environment.js";

function call(name: string, urn: string | null): string | ErrorValue {
  return toText(environment(), callFunction(environment(), name, [urn]));
}

describe("format_urn", () => {
  it.each([
    ["tel:+250788123456", "0788 123 456"],
    ["tel:+12065550142?channel=6a3b&id=2", "(206) 555-0142"],
    ["tel:3636", "3636"],
    ["tel:+12065550142#Mary", "Mary"],
    ["whatsapp:12065550142", "12065550142"],
    ["mailto:mary@example.org", "mary@example.org"],
    ["telegram:81#ma%23ry", "ma#ry"],
    ["ext:a:b", "a:b"],
  ])("%s is %s", (urn, expected) => {
    expect(call("format_urn", urn)).toBe(expected);
  });
});

describe("urn_parts", () => {
  it.each([
    ["tel:+250788123456", "{display: , path: +250788123456, scheme: tel}"],
    ["telegram:81#mary", "{display: mary, path: 81, scheme: telegram}"],
    ["ext:50%25?x=1#a%3Fb", "{display: a?b, path: 50%, scheme: ext}"],
  ])("of %s", (urn, expected) => {
    expect(call("urn_parts", urn)).toBe(expected);
  });
});

it.each(["", "mary", "tel:", ":81", "tel:1#a#b", "tel:1?a?b", "tel:1#a?b", null])("%s is no address", (urn) => {
  expect(call("format_urn", urn)).toBeInstanceOf(ErrorValue);
  expect(call("urn_parts", urn)).toBeInstanceOf(ErrorValue);
});
