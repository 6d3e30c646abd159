import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { processOutput } from "../../src/cli/terminal/output.js";

it("an output that is waited for many times keeps no listeners", async () => {
  // A reader that is slower than the writer: each write fills the buffer.
  const stream = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void setImmediate(done) });
  const output = processOutput(stream as unknown as NodeJS.WriteStream, { colours: 0, failed: () => undefined });
  const before = stream.listenerCount("close");
  for (let n = 0; n < 20; n++) {
    output.write("line\n");
    expect(stream.writableNeedDrain).toBe(true);
    await output.drained?.();
  }
  expect(stream.listenerCount("close")).toBe(before);
});
