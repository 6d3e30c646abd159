import fc from "fast-check";
import { expect, it } from "vitest";
import { BatchReader, BatchWriter } from "../../../src/http/thread/message-batch.js";

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

function write(batch: BatchWriter, one: Part): void {
  if (one.kind === "uint") batch.writeUint(one.value);
  else if (one.kind === "float") batch.writeFloat(one.value);
  else if (one.kind === "text") batch.writeText(one.value);
  else if (one.kind === "repeated") batch.writeRepeatedText(one.of, one.value);
  else batch.writeBytes(one.value);
}

function read(batch: BatchReader, one: Part): unknown {
  if (one.kind === "uint") return batch.readUint();
  if (one.kind === "float") return batch.readFloat();
  if (one.kind === "text") return batch.readText();
  if (one.kind === "repeated") return batch.readRepeatedText(one.of);
  const bytes = batch.readBytes();
  return bytes === null ? null : Uint8Array.from(bytes);
}

it("a reader returns what the writer wrote, over several batches", () => {
  fc.assert(
    fc.property(fc.array(fc.array(part, { minLength: 1 })), (batches) => {
      const writer = new BatchWriter();
      const reader = new BatchReader();
      for (const parts of batches) {
        for (const one of parts) write(writer, one);
        reader.openBatch(writer.takeBatch());
        expect(writer.isEmpty).toBe(true);
        for (const one of parts) expect(read(reader, one)).toEqual(expected(one));
        expect(reader.isAtEnd).toBe(true);
      }
    }),
  );
});

it("a batch grows for long texts, and later batches start small again", () => {
  const writer = new BatchWriter();
  const reader = new BatchReader();
  for (const length of [3_000_000, 10, 200_000]) {
    const long = "ü".repeat(length);
    writer.writeText(long);
    writer.writeBytes(Buffer.alloc(length, 7));
    reader.openBatch(writer.takeBatch());
    expect(reader.readText()).toBe(long);
    expect(reader.readBytes()?.length).toBe(length);
    expect(reader.isAtEnd).toBe(true);
  }
});

/** Repeated texts are copied by way of UTF-8, so a lone surrogate in them becomes U+FFFD. */
function expected({ kind, value }: Part): Part["value"] {
  return kind === "repeated" && value !== null ? Buffer.from(value).toString() : value;
}
