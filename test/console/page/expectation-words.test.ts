import { expect, it } from "vitest";
import { expectationSentence } from "../../../src/console/page/domain/expectation-words.js";

const nameOf = (selector: string): string => (selector === "old-harbour" ? "Old Harbour" : selector);
const said = (text: string, by?: string): string | undefined => expectationSentence(text, { by, nameOf });

it("expectations are sentences by the clock on screen", () => {
  expect(said("event: alarm, of: old-harbour, count: >= 8, within: 50m", "12:20")).toBe(
    "By 12:20, at least eight alarms from Old Harbour",
  );
  expect(said("event: alarm, of: long-bridge/2, count: 1, within: 50m", "15:20")).toBe(
    "By 15:20, one alarm from long-bridge/2",
  );
  expect(said("event: mo_sms, at-most: 0", "15:20")).toBe("By 15:20, no texts");
  expect(said("person: amina, hears: dalili ya hatari, within: 15m", "06:45")).toBe(
    "By 06:45, Amina hears “dalili ya hatari”",
  );
  expect(said("person: farmers/3, hears: /a, is: b/, answers: fever, count: 2")).toBe(
    "Farmers/3 hears “/a, is: b/” in answer to “fever”, two times",
  );
  expect(said("person: mothers, result: age, is: /[0-9]+/, category: Adult")).toBe(
    "Mothers has the result “age” “/[0-9]+/” in the category “Adult”",
  );
  expect(said("group: Registered, contains: mothers/3", "06:45")).toBe(
    "By 06:45, the group “Registered” has mothers/3",
  );
});

it("bounds are sentences too, and what has none keeps its text", () => {
  expect(said("alarms >= 16", "21:00")).toBe("By 21:00, at least 16 alarms");
  expect(said("events.mo_sms > 1000")).toBe("More than 1,000 texts");
  expect(said("attempts.failed == 0", "21:00")).toBe("By 21:00, no deliveries that were given up");
  expect(said("latency.p99 < 300ms")).toBeUndefined();
  expect(said("events.resthook == 3")).toBeUndefined();
  expect(said("event: resthook, count: 1")).toBeUndefined();
});
