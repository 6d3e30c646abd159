import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IdUuids } from "../../src/account/index.js";
import { Streams } from "../../src/sim/index.js";

const ids = fc.oneof(
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  fc
    .tuple(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 2 ** 20 - 1 }))
    .map(([a, b]) => a * 2 ** 20 + b),
);
const uuids = new IdUuids(new Streams(7), "message");

describe("the UUIDs of ids", () => {
  it("have the form of version 4 and decode to the id, in any case", () => {
    fc.assert(
      fc.property(ids, (id) => {
        const uuid = uuids.of(id);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(uuids.idOf(uuid)).toBe(id);
        expect(uuids.idOf(uuid.toUpperCase())).toBe(id);
      }),
    );
  });

  it("do not decode with another seed, another kind or a changed digit", () => {
    const strangers = [new IdUuids(new Streams(8), "message"), new IdUuids(new Streams(7), "broadcast")];
    fc.assert(
      fc.property(ids, fc.nat(35), (id, place) => {
        for (const stranger of strangers) expect(uuids.idOf(stranger.of(id))).toBeUndefined();
        const uuid = uuids.of(id);
        const digit = uuid[place] ?? "";
        if (digit === "-") return;
        const changed = uuid.slice(0, place) + (digit === "0" ? "1" : "0") + uuid.slice(place + 1);
        expect(uuids.idOf(changed)).toBeUndefined();
      }),
    );
    for (const text of ["", "x", "00000000-0000-0000-0000-000000000000"]) expect(uuids.idOf(text)).toBeUndefined();
  });

  it("of adjacent ids share no pattern", () => {
    const seen = new Set<string>();
    for (let id = 2 ** 20; id < 2 ** 20 + 5000; id++) for (const part of uuids.of(id).split("-")) seen.add(part);
    // Five parts each, three of them with 16 bits: nearly all parts are distinct.
    expect(seen.size).toBeGreaterThan(2 * 5000);
  });
});
