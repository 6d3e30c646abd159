import { describe, expect, it } from "vitest";
import { readIgnoredParts } from "../../../src/report/index.js";

describe("what of two answers is ignored", () => {
  it.each([
    ["id", "Ticket #12 is open", "Ticket #977 is open"],
    ["id", "Ref 7c9e6679-7425-40de-944b-e07fc1f90ae7.", "Ref 550e8400-e29b-41d4-a716-446655440000."],
    ["id", "Code AB12CD, order 104477", "Code X9Y8Z7, order 104478"],
    ["time", "Come at 9:30 on 2026-03-04", "Come at 14:05 on 2026-11-28"],
    ["time", "Sent 2026-03-04T09:30:00.250Z", "Sent 2026-11-28T14:05:01Z"],
    ["id,time", "Order 104477 of 4/3/2026, 9:30 am", "Order 104478 of 5/3/2026, 9:31 am"],
    [String.raw`/\s*\(v\d,\d\)/`, "Hello (v1,2)", "Hello"],
    ["/HELLO/i", "Hello you", "hello you"],
  ])("%s: %s", (list, before, after) => {
    const ignored = readIgnoredParts([list]);
    expect(ignored.mask(before)).toBe(ignored.mask(after));
  });

  it.each([
    ["id", "You owe 5 coins", "You owe 6 coins"],
    ["time", "Ticket #12", "Ticket #13"],
    ["id", "Come on Monday", "Come on Friday"],
  ])("is not more than that: %s, %s", (list, before, after) => {
    const ignored = readIgnoredParts([list]);
    expect(ignored.mask(before)).not.toBe(ignored.mask(after));
  });

  it("can be a kind of difference", () => {
    const ignored = readIgnoredParts(["latency,id", "status"]);
    expect(["latency", "status", "reply"].map((what) => ignored.ignores(what))).toEqual([true, true, false]);
  });

  it.each([
    ["words", "'words' is unknown"],
    ["/(/", "is no regular expression"],
    ["/(?=a)/", "lookahead"],
  ])("is refused where it is unknown or no pattern: %s", (list, message) => {
    expect(() => readIgnoredParts([list])).toThrow(message);
  });
});
