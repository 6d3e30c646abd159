import { describe, expect, it } from "vitest";
import type { AnswerHabit } from "../../src/world/index.js";
import { sound } from "./help.js";

function habit(answers: string): AnswerHabit | undefined {
  return sound(`lasts: 1h
handsets: { clinic: { phone: "+250788000001" } }
people: { farmers: { phone: "+250781000001", answers: ${answers} } }
`).cast.people[0]?.answers;
}

describe("answers to flows", () => {
  it("are all right, soon and for all flows by default", () => {
    expect(habit("{}")).toEqual({
      shares: { right: 1, wrong: 0, silent: 0, late: 0, stop: 0 },
      after: { kind: "uniform", min: 5000, max: 60_000, whole: true },
      lateAfter: { kind: "uniform", min: 3_600_000, max: 86_400_000, whole: true },
    });
  });

  it("that are right are what the others leave", () => {
    const shares = habit("{ wrong: 33.3%, silent: 33.3%, late: 10%, stop: 0.4% }")?.shares;
    expect(shares?.silent).toBeCloseTo(0.333, 6);
    expect(shares?.right).toBeCloseTo(0.23, 6);
    expect(habit("{ right: 66.7%, wrong: 33.3% }")?.shares.right).toBe(0.667);
    expect(habit("{ silent: 100% }")?.shares).toEqual({ right: 0, wrong: 0, silent: 1, late: 0, stop: 0 });
  });

  it("may be to some flows only", () => {
    expect(habit("{ flows: true }")?.flows).toBeUndefined();
    expect(habit("{ flows: Registration }")?.flows).toEqual(["registration"]);
    expect(habit("{ flows: [Registration, 6D1F5B1E-3A1C-4A57-9C86-000000000001] }")?.flows).toEqual([
      "registration",
      "6d1f5b1e-3a1c-4a57-9c86-000000000001",
    ]);
  });
});
