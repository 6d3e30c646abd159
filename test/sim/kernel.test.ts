import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Kernel } from "../../src/sim/index.js";

describe("Kernel", () => {
  it("fires earlier first, then lower order, then first scheduled first", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ atMs: fc.integer({ min: 0, max: 5000 }), order: fc.integer({ min: 0, max: 2 }) })),
        (timers) => {
          const kernel = new Kernel();
          const fired: { atMs: number; order: number; seq: number }[] = [];
          timers.forEach((timer, seq) =>
            kernel.at(timer.atMs, (entry) => fired.push(entry), { ...timer, seq }, timer.order),
          );
          while (kernel.step());
          const sorted = fired.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order || a.seq - b.seq);
          expect(fired).toEqual(sorted);
          expect(fired).toHaveLength(timers.length);
        },
      ),
    );
  });

  it("agrees with a sorted list under random scheduling, cancelling and peeking from inside callbacks", () => {
    const action = fc.record({
      delayMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 100_000 })),
      cancels: fc.boolean(),
      peeks: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 200 }), (actions) => {
        const kernel = new Kernel();
        const waiting = new Set<number>();
        const timers = new Map<number, ReturnType<Kernel["at"]>>();
        const due = new Map<number, number>();
        let next = 0;
        const act = (): void => {
          const chosen = actions[next];
          if (chosen === undefined) return;
          const id = next++;
          const oldest = [...waiting][0];
          if (chosen.cancels && oldest !== undefined) {
            expect(kernel.cancel(timers.get(oldest) as ReturnType<Kernel["at"]>)).toBe(true);
            waiting.delete(oldest);
          }
          waiting.add(id);
          due.set(id, kernel.now + chosen.delayMs);
          timers.set(id, kernel.in(chosen.delayMs, fire, id));
          if (chosen.peeks) expect(kernel.nextAtMs).toBe(Math.min(...[...waiting].map((one) => due.get(one) ?? 0)));
          expect(kernel.size).toBe(waiting.size);
        };
        const fire = (id: number): void => {
          expect(waiting.delete(id)).toBe(true);
          expect(kernel.now).toBe(due.get(id));
          for (const other of waiting) expect(due.get(other)).toBeGreaterThanOrEqual(kernel.now);
          act();
          act();
        };
        while (next < actions.length || waiting.size > 0) {
          act();
          kernel.step();
        }
        expect(kernel.size).toBe(0);
        expect(kernel.nextAtMs).toBe(Infinity);
      }),
    );
  });

  it("keeps its order when most of 3,000 timers are cancelled and replaced ten times", () => {
    const kernel = new Kernel();
    const fired: number[] = [];
    const due = (index: number, round: number): number => ((index * 7919 + round * 104_729) % 300_000) + kernel.now;
    const atMs = Array.from({ length: 3000 }, (_, index) => due(index, 0));
    const schedule = (index: number): ReturnType<Kernel["at"]> =>
      kernel.at(atMs[index] ?? 0, (one: number) => fired.push(one), index);
    const timers = atMs.map((_, index) => schedule(index));
    for (let round = 1; round <= 10; round++) {
      kernel.at(round * 10, () => {
        for (const [index, timer] of timers.entries()) {
          if (!kernel.cancel(timer)) continue;
          atMs[index] = due(index, round);
          timers[index] = schedule(index);
        }
        expect(kernel.size).toBe(timers.filter(({ done }) => !done).length + 10 - round);
      }, undefined); // prettier-ignore
    }
    while (kernel.step());
    expect(fired).toHaveLength(3000);
    const times = fired.map((index) => atMs[index] ?? 0);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(kernel.size).toBe(0);
  });

  it("cancels a timer once and returns whether it did", () => {
    const kernel = new Kernel();
    const fired: string[] = [];
    const timer = kernel.at(10, (name: string) => fired.push(name), "cancelled");
    kernel.at(20, (name: string) => fired.push(name), "kept");
    expect(kernel.cancel(timer)).toBe(true);
    expect(kernel.cancel(timer)).toBe(false);
    while (kernel.step());
    expect(fired).toEqual(["kept"]);
  });

  it.each([-1, 1.5, Number.NaN, Infinity])("rejects a timer at %s", (atMs) => {
    expect(() => new Kernel().at(atMs, () => undefined, undefined)).toThrow(RangeError);
  });

  it("advances up to a waiting timer and never past it", () => {
    const kernel = new Kernel();
    kernel.at(5000, () => undefined, undefined);
    kernel.advanceTo(4999);
    expect(kernel.now).toBe(4999);
    kernel.advanceTo(100);
    expect(kernel.now).toBe(4999);
    expect(() => kernel.advanceTo(5001)).toThrow(/cannot pass/);
    kernel.at(4999, () => undefined, undefined);
    kernel.step();
    expect(kernel.now).toBe(4999);
  });

  it("starts at any instant and is still exact after ten years", () => {
    const tenYears = 3650 * 86_400_000;
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: tenYears, max: 2 * tenYears })),
        fc.array(fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: tenYears })), { minLength: 1 }),
        (beginsAtMs, delays) => {
          const kernel = new Kernel(beginsAtMs);
          expect([kernel.now, kernel.nextAtMs]).toEqual([beginsAtMs, Infinity]);
          expect(() => kernel.at(beginsAtMs - 1, () => undefined, undefined)).toThrow(RangeError);
          const fired: number[] = [];
          for (const delayMs of delays) kernel.in(delayMs, () => fired.push(kernel.now - beginsAtMs), undefined);
          while (kernel.step());
          expect(fired).toEqual(delays.toSorted((a, b) => a - b));
        },
      ),
    );
    for (const bad of [-1, 0.5, NaN, Infinity]) expect(() => new Kernel(bad)).toThrow(RangeError);
  });
});
