import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Doubles } from "../../src/measure/index.js";

/** Answered events and copies that are remembered. */
const REMEMBERED = 262_144;

function answer(doubles: Doubles, number: number, contact = 7): void {
  doubles.recordReply({ channel: 1, number }, { contact });
}

describe("doubles", () => {
  it("replies to the original and to its copy are doubles for each person", () => {
    const everyStep = fc.record({
      channel: fc.integer({ min: 1, max: 2 }),
      number: fc.integer({ min: 1, max: 4 }),
      contact: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(everyStep, { maxLength: 60 }), (steps) => {
        const doubles = new Doubles();
        // Event 3 is a copy of 1, and 4 of 2.
        for (const channel of [1, 2]) {
          for (const number of [3, 4]) doubles.recordCopy({ channel, number }, number - 2);
        }
        for (const { channel, number, contact } of steps) {
          doubles.recordReply({ channel, number }, { contact });
        }
        expect(doubles.count).toBe(doublesIn(steps));
      }),
    );
  });

  it("the latest 262,144 answered events are remembered", () => {
    const doubles = new Doubles();
    const copyOf = (original: number, number: number): void => doubles.recordCopy({ channel: 1, number }, original);
    for (let number = 1; number <= REMEMBERED; number++) answer(doubles, number);
    copyOf(1, 1_000_001);
    answer(doubles, 1_000_001);
    expect(doubles.count).toBe(1);
    answer(doubles, REMEMBERED + 1);
    copyOf(1, 1_000_002);
    answer(doubles, 1_000_002);
    expect(doubles.count).toBe(1);
    copyOf(3, 1_000_003);
    answer(doubles, 1_000_003);
    expect(doubles.count).toBe(2);
  });

  it("the originals of the latest 262,144 copies are remembered, unless the caller asks for more", () => {
    const count = (doubles: Doubles): number => {
      answer(doubles, 1);
      answer(doubles, 2);
      doubles.recordCopy({ channel: 1, number: 11 }, 1);
      doubles.recordCopy({ channel: 1, number: 12 }, 2);
      for (let copy = 0; copy < REMEMBERED - 1; copy++) doubles.recordCopy({ channel: 2, number: 100 + copy }, 3);
      answer(doubles, 11);
      answer(doubles, 12);
      return doubles.count;
    };
    expect(count(new Doubles())).toBe(1);
    expect(count(new Doubles({ copiesMax: Infinity }))).toBe(2);
  });
});

/** The definition, word for word: docs/measurement.md#doubles. */
function doublesIn(
  steps: readonly {
    readonly channel: number;
    readonly number: number;
    readonly contact: number;
  }[],
): number {
  let count = 0;
  const sent: { readonly family: string; readonly contact: number }[] = [];
  for (const { channel, number, contact } of steps) {
    const family = `${channel}/${number > 2 ? number - 2 : number}`;
    if (sent.some((one) => one.family === family && one.contact === contact)) count++;
    sent.push({ family, contact });
  }
  return count;
}
