import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import { type Fault, faults, profiles, type WorldInput } from "../../src/world/index.js";
import {
  carrier,
  castOf,
  handsets,
  hour,
  WorldRig,
  minute,
  people,
  profile,
  second,
  traffic,
} from "../support/world-rig.js";
import { runs } from "../support/effort.js";

const clinics = { group: "clinic", from: 0, to: 2 };
const farmers = { group: "farmers", from: 0, to: 9 };

const span = fc.integer({ min: 1, max: 40 }).map((minutes) => minutes * minute);
const forMs = fc.oneof(
  fc.constant({}),
  span.map((ms) => ({ forMs: ms })),
);
const of = fc.constantFrom(clinics, { ...clinics, to: 0 }, { ...clinics, from: 1 }, { ...clinics, share: 0.5 });
const some = fc.constantFrom(farmers, { ...farmers, to: 0 }, { ...farmers, share: 0.4 });

const input: fc.Arbitrary<WorldInput> = fc.oneof(
  fc.tuple(some, of).map(([from, to]) => ({ verb: "text", from, to, body: fixed("one more") }) as const),
  fc
    .tuple(some, of, fc.constantFrom("person", "handset"), fc.constantFrom({}, { talks: fixed(3 * minute) }))
    .map(([who, to, by, how]) => ({ verb: "call", people: who, handsets: to, by, ...how }) as const),
  fc.tuple(of, fc.boolean(), forMs).map(([to, mains, f]) => ({ verb: "power", of: to, mains, ...f }) as const),
  fc.tuple(of, fc.constantFrom(0, 1, 9, 100)).map(([to, level]) => ({ verb: "battery", of: to, level }) as const),
  fc
    .tuple(
      of,
      fc.constantFrom("none", "GPRS", "LTE"),
      fc.constantFrom({}, { loses: 0.5 }, { latency: fixed(90 * second) }, { latency: fixed(300 * second) }),
      forMs,
    )
    .map(([to, type, more, f]) => ({ verb: "network", of: to, type, ...more, ...f }) as const),
  fc
    .tuple(of, fc.constantFrom("none", "ok"), forMs)
    .map(([to, state, f]) => ({ verb: "coverage", of: to, state, ...f }) as const),
  fc
    .tuple(of, fc.constantFrom("ok", "generic-failure", "limit"), forMs)
    .map(([to, state, f]) => ({ verb: "sms-service", of: to, state, ...f }) as const),
  fc
    .tuple(of, fc.constantFrom("request", "response"), fc.integer({ min: 1, max: 3 }))
    .map(([to, loses, times]) => ({ verb: "sync", of: to, loses, times }) as const),
  of.map((to) => ({ verb: "sync", of: to, now: true }) as const),
  fc
    .tuple(of, fc.constantFrom(0, -20, 5))
    .map(([to, skew]) => ({ verb: "clock", of: to, skewMs: skew * minute }) as const),
  fc
    .tuple(of, fc.constantFrom("airplane", "pause", "power-cut"), forMs)
    .map(([to, verb, f]) => ({ verb, of: to, ...f }) as const),
  fc
    .tuple(of, fc.constantFrom("reboot", "reset"), fc.constantFrom(0, 90 * second, 10 * minute))
    .map(([to, verb, downMs]) => ({ verb, of: to, downMs }) as const),
);

const story = fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 8 * minute }), input }), { maxLength: 25 });
const faultSets = fc.subarray(Object.keys(faults) as Fault[]);

/** A regression: a message sent again and wiped after the service no longer had it as queued. */
const wipedAfterResend: [{ afterMs: number; input: WorldInput }[], Fault[], string, number | null, number] = [
  [
    { afterMs: 275_395, input: { verb: "coverage", of: clinics, state: "none", forMs: 6 * minute } },
    { afterMs: 330_628, input: { verb: "reset", of: clinics, downMs: 0 } },
  ],
  ["answer-late"],
  "plain",
  null,
  397,
];

describe("the accounts", () => {
  it("close at every instant under any inputs", () => {
    fc.assert(
      fc.property(
        story,
        faultSets,
        fc.constantFrom(...Object.keys(profiles)),
        fc.option(fc.integer({ min: 1, max: 3 })),
        fc.integer({ min: 0, max: 1000 }),
        (steps, faultNames, name, packs, seed) => {
          const lossy = { ...carrier, loses: 0.05, duplicates: 0.1, reportsDelivery: 0.8 };
          const rig = new WorldRig(
            castOf({
              carriers: [lossy],
              handsets: [
                handsets({
                  count: 3,
                  picksUp: 0.5,
                  battery: { kind: "uniform", min: 1, max: 100, whole: false },
                  profile: profile(
                    { retryWaitsMs: [1, 1, 2].map((m) => m * minute), ...(packs === null ? {} : { packs }) },
                    name,
                    faultNames,
                  ),
                }),
              ],
              people: [
                people({
                  picksUp: 0.5,
                  of: clinics,
                  replies: { chance: 0.5, after: fixed(20 * second), with: fixed("yes") },
                }),
              ],
              traffic: [
                traffic({ handsets: clinics, shape: { kind: "constant", perMs: 60 / hour } }),
                traffic({ handsets: clinics, kind: "sends", shape: { kind: "constant", perMs: 60 / hour } }),
                traffic({ handsets: clinics, kind: "calls", shape: { kind: "constant", perMs: 20 / hour } }),
              ],
            }),
            seed,
          );
          for (const { afterMs, input: step } of steps) {
            rig.at(rig.kernel.now + afterMs, step);
            expect([rig.gap("texts"), rig.gap("calls")]).toEqual([0, 0]);
          }
          const endMs = rig.kernel.now + 2 * hour;
          while (rig.kernel.now < endMs) {
            rig.until(rig.kernel.now + 7 * minute);
            expect([rig.gap("texts"), rig.gap("calls")]).toEqual([0, 0]);
          }
        },
      ),
      { numRuns: runs(30), examples: [wipedAfterResend] },
    );
  });
});
