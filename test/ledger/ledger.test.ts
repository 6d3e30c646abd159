import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accounts, gaps, Ledger, queued } from "../../src/ledger/index.js";
import type { LossCause } from "../../src/wire/index.js";
import type { LedgerAccount, Census } from "../../src/wire/index.js";

const nothing: Census = { texts: 0, calls: 0, events: 0, attempts: 0 };

/** The fate of an open thing: it ends in one way, or still waits. */
const fates = ["delivered", "failed", "carrier", "paused", "waiting"] as const;
const life = fc.record({
  account: fc.constantFrom<LedgerAccount>(...accounts),
  /** A copy of an existing thing. */
  isCopy: fc.boolean(),
  fate: fc.constantFrom(...fates),
});

function live(lives: readonly { account: LedgerAccount; isCopy: boolean; fate: (typeof fates)[number] }[]): {
  ledger: Ledger;
  census: Census;
} {
  const ledger = new Ledger();
  const census = { ...nothing };
  for (const { account, isCopy, fate } of lives) {
    if (isCopy) ledger.copy(account, "lost-response");
    else ledger.in(account);
    if (fate === "waiting") census[account]++;
    else if (fate === "delivered") ledger.delivered(account);
    else if (fate === "failed") ledger.failed(account);
    else ledger.lost(account, fate);
  }
  return { ledger, census };
}

describe("a ledger", () => {
  it("has no gap when everything ended or waits", () => {
    fc.assert(
      fc.property(fc.array(life), (lives) => {
        const { ledger, census } = live(lives);
        const report = ledger.close(census);
        expect(gaps(report)).toBe(0);
        expect(queued(report)).toBe(lives.filter(({ fate }) => fate === "waiting").length);
      }),
    );
  });

  it("shows each thing without a recorded end as a gap", () => {
    fc.assert(
      fc.property(fc.array(life), fc.array(fc.constantFrom<LedgerAccount>(...accounts)), (lives, vanished) => {
        const { ledger, census } = live(lives);
        for (const account of vanished) ledger.in(account);
        expect(gaps(ledger.close(census))).toBe(vanished.length);
      }),
    );
  });

  it("does not cancel a loss in one account with a surplus in another", () => {
    const ledger = new Ledger();
    ledger.in("events", 2);
    ledger.delivered("attempts", 3);
    const report = ledger.close(nothing);
    expect(report.events.gap).toBe(2);
    expect(report.attempts.gap).toBe(-3);
    expect(gaps(report)).toBe(5);
  });

  it("lists causes sorted by name", () => {
    const ledger = new Ledger();
    ledger.in("texts", 10);
    ledger.copy("texts", "lost-response");
    ledger.copy("texts", "carrier");
    ledger.copy("texts", "carrier");
    ledger.lost("texts", "paused", 3);
    ledger.lost("texts", "__proto__" as LossCause);
    ledger.failed("texts");
    ledger.delivered("texts", 6);
    const { texts } = ledger.close({ ...nothing, texts: 2 });
    expect(JSON.stringify(texts)).toBe(
      '{"in":10,"copies":{"carrier":2,"lost-response":1},"delivered":6,"failed":1,"queued":2,' +
        '"lost":{"__proto__":1,"paused":3},"gap":0}',
    );
  });

  it("shows live totals and may be closed several times", () => {
    const ledger = new Ledger();
    const { totals } = ledger;
    ledger.in("calls");
    expect(totals.calls.in).toBe(1);
    expect(ledger.close(nothing).calls.gap).toBe(1);
    ledger.lost("calls", "unreachable");
    expect(totals.calls.lost).toBe(1);
    expect(ledger.close(nothing).calls.gap).toBe(0);
  });
});
