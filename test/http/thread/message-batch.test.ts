import fc from "fast-check";
import { expect, test } from "vitest";
import { ParcelReader, ParcelWriter } from "../../../src/http/thread/message-batch.js";

const text = fc.option(fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.constantFrom("", "same", "é")));
const part = fc.oneof(
  fc.record({ kind: fc.constant("uint" as const), value: fc.nat({ max: 0xffff_ffff }) }),
  fc.record({ kind: fc.constant("float" as const), value: fc.double() }),
  fc.record({ kind: fc.constant("text" as const), value: text }),
  fc.record({ kind: fc.constant("repeated" as const), value: text, of: fc.nat({ max: 2 }) }),
  fc.record({
    kind: fc.constant("bytes" as const),
    value: fc.option(fc.oneof(fc.uint8Array({ maxLength: 100 }), fc.constant(Uint8Array.of(123, 125)))),
  }),
);
type Part = typeof part extends fc.Arbitrary<infer T> ? T : never;

function write(parcel: ParcelWriter, one: Part): void {
  if (one.kind === "uint") parcel.uint(one.value);
  else if (one.kind === "float") parcel.float(one.value);
  else if (one.kind === "text") parcel.text(one.value);
  else if (one.kind === "repeated") parcel.repeated(one.of, one.value);
  else parcel.bytes(one.value);
}

function read(parcel: ParcelReader, one: Part): unknown {
  if (one.kind === "repeated") return parcel.repeated(one.of);
  const value = parcel[one.kind]();
  return value instanceof Uint8Array ? Uint8Array.from(value) : value;
}

test("what goes in comes out, parcel after parcel", () => {
  fc.assert(
    fc.property(fc.array(fc.array(part, { minLength: 1 })), (parcels) => {
      const writer = new ParcelWriter();
      const reader = new ParcelReader();
      for (const parts of parcels) {
        for (const one of parts) write(writer, one);
        reader.open(writer.take());
        expect(writer.isEmpty).toBe(true);
        for (const one of parts) expect(read(reader, one)).toEqual(expected(one));
        expect(reader.isAtEnd).toBe(true);
      }
    }),
  );
});

test("a parcel takes what is larger than it began, and goes on small", () => {
  const writer = new ParcelWriter();
  const reader = new ParcelReader();
  for (const length of [3_000_000, 10, 200_000]) {
    const long = "ü".repeat(length);
    writer.text(long);
    writer.bytes(Buffer.alloc(length, 7));
    reader.open(writer.take());
    expect(reader.text()).toBe(long);
    expect(reader.bytes()?.length).toBe(length);
    expect(reader.isAtEnd).toBe(true);
  }
});

/** What is kept for long is copied, and a lone surrogate in it becomes U+FFFD, as in everything that is encoded. */
function expected({ kind, value }: Part): Part["value"] {
  return kind === "repeated" && value !== null ? Buffer.from(value).toString() : value;
}
