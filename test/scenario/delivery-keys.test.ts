import { describe, expect, it } from "vitest";
import { base, diagnostics, sound } from "./help.js";

const clinic = { group: "clinic", from: 0, to: 9 };

describe("the key `delivery`", () => {
  it("of the top level names handsets, people, types and a time", () => {
    const { troubles } = sound(`${base()}\ndelivery: { of: clinic/3, types: mo_sms, delay: 5s, for: 20m }`);
    expect(troubles).toEqual([
      {
        fromMs: 0,
        untilMs: 1_200_000,
        input: {
          of: { group: "clinic", from: 3, to: 3 },
          types: ["mo_sms"],
          troubles: [{ kind: "delay", share: 1, amount: { kind: "fixed", value: 5000 } }],
        },
      },
    ]);
  });

  it("of an entry of traffic concerns its people at its handsets, while it lasts", () => {
    const entry =
      "{ texts: { from: farmers, to: clinic, body: hi }, rate: 1/m, from: 5m, until: 8m, delivery: { copies: 2 } }";
    const { troubles, cast } = sound(`${base()}\ntraffic: [${entry}]`);
    expect(troubles).toMatchObject([
      { fromMs: 300_000, untilMs: 480_000, input: { of: clinic, person: cast.traffic[0]?.people } },
    ]);
  });

  it("is absent where no key is written", () => {
    expect(sound(base()).troubles).toBeUndefined();
  });

  it.each([
    ["delivery: {}", "needs a trouble, such as 'answers-lost: 10%' or 'delay: 30s'"],
    ["delivery: { types: [mo_sms] }", "needs a trouble"],
    ["delivery: { answers-lost: 110% }", "must be 0%..100%, got 110%"],
    ["delivery: { slow: 5B/s }", "must be 10B/s to 10000000B/s, got 5B/s"],
    ["delivery: { slow: 100 }", "must be a rate such as 100B/s, got '100'"],
    ["delivery: { copies: 1 }", "must be 2..20, got 1"],
    ["delivery: { answers-lost: 10%, share: 5% }", "'answers-lost' and 'share' both say a share"],
    ["delivery: { delay: 5s, of: nobody }", "names no group of handsets"],
    ["delivery: { dealy: 5s }", "'dealy' is not a key of 'delivery'"],
  ])("%s is reported", (key, message) => {
    expect(
      diagnostics(`${base()}\n${key}`)
        .map((one) => one.message)
        .join("\n"),
    ).toContain(message);
  });
});
