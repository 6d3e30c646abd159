import { describe, expect, it } from "vitest";
import { shiftEventTimes } from "../../src/wire/index.js";

describe("times in an event's body", () => {
  it.each([
    ["time=2026-03-02T08:15:04.250", "time=2026-03-02T08%3A15%3A05.750"],
    ["time=2026-03-02T08%3A15%3A04.250999", "time=2026-03-02T08%3A15%3A05.750999"],
    ["time=2026-12-31T23%3A59%3A59Z", "time=2027-01-01T00%3A00%3A00Z"],
    ["time=1772439304250", "time=1772439305750"],
    ["last_seen=2026-03-02T08:15:04.5", "last_seen=2026-03-02T08%3A15%3A06.0"],
    ["occurred_on=2026-03-02+08%3A15%3A04", "occurred_on=2026-03-02+08%3A15%3A05"],
  ])("are shifted in their form: %s", (body, shifted) => {
    expect(shiftEventTimes(body, 1500)).toBe(shifted);
  });

  it("are shifted in each value of a flow", () => {
    const values = JSON.stringify([{ label: "Water", time: "2026-03-02T08:15:04.250000Z", text: "time 12" }]);
    const shifted = new URLSearchParams(shiftEventTimes(`values=${encodeURIComponent(values)}`, 60_000)).get("values");
    expect(JSON.parse(shifted ?? "")).toEqual([
      { label: "Water", time: "2026-03-02T08:16:04.250000Z", text: "time 12" },
    ]);
  });

  it("leaves all other bytes as they are", () => {
    const body = "text=at 1772439304250&phone=%2b250788&time=soon&a&=b&sms=1772439304250";
    expect(shiftEventTimes(body, 1500)).toBe(body);
  });
});
