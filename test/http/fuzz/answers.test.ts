import { request } from "node:http";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type HttpResult, postOnce } from "../../../src/http/index.js";
import { onRequest } from "../servers.js";
import { serveTcp, type TestServer } from "../../support/server.js";
import { type Script, scripts } from "./answers.js";
import { exceptions } from "./exceptions.js";
import { type Meaning, nodes, ours } from "./readings.js";
import { runs } from "../../support/effort.js";

const numRuns = runs(300, 20_000);
/** `FUZZ_SEED` repeats a run. */
const seed = process.env["FUZZ_SEED"] === undefined ? {} : { seed: Number(process.env["FUZZ_SEED"]) };

function sameMeaning(script: Script, our: Meaning, node: Meaning): void {
  if (our.status === null && node.status === null) return;
  const { error: _ours, ...ourAnswer } = our;
  const { error: _nodes, ...nodeAnswer } = node;
  const isExcepted =
    (our.status === null || node.status === null) && exceptions.some(({ holds }) => holds(script, our, node));
  if (!isExcepted) expect({ ...ourAnswer, ours: our.error }).toEqual({ ...nodeAnswer, ours: null });
}

it("our reader and Node's client read any answer alike", async () => {
  const counts = { good: 0, bad: 0 };
  await fc.assert(
    fc.asyncProperty(scripts, async (script) => {
      const our = ours(script);
      counts[our.status === null ? "bad" : "good"]++;
      sameMeaning(script, our, await nodes(script));
    }),
    { numRuns, ...seed },
  );
  // The generator must give valid and invalid answers in useful proportions.
  expect(Math.min(counts.good, counts.bad)).toBeGreaterThan(numRuns / 5);
});

it("the reading does not depend on how an answer is split into pieces", () => {
  fc.assert(
    fc.property(scripts, (script) => {
      const whole = Buffer.from(script.text, "latin1");
      const atOnce = ours({ text: script.text, pieces: whole.length === 0 ? [] : [whole] });
      expect(ours(script)).toEqual(atOnce);
    }),
    { numRuns, ...seed },
  );
});

it("both read any answer alike over real sockets", async () => {
  let script: Script | undefined;
  const server = await serveTcp((socket) =>
    onRequest(socket, () => {
      socket.setNoDelay(true);
      for (const piece of script?.pieces ?? []) socket.write(piece);
      socket.end();
    }),
  );
  await fc.assert(
    fc.asyncProperty(scripts, async (next) => {
      script = next;
      const our = meaningOf(await postOnce({ url: server.url, body: "event=alarm", timeoutMs: 5000 }));
      sameMeaning(next, our, await nodesOver(server));
    }),
    { numRuns: Math.ceil(numRuns / 5), ...seed },
  );
});

function meaningOf({ status, headers, body, error }: HttpResult): Meaning {
  if (status === null) return { status, headers: "", body: "", error };
  return { status, headers: headers ?? "", body: Buffer.from(body ?? []).toString("latin1"), error };
}

/** Reads the server's next answer with Node's client. */
function nodesOver({ url }: TestServer): Promise<Meaning> {
  return new Promise((resolve) => {
    const failed = (error: Error & { code?: string }): void =>
      resolve({ status: null, headers: "", body: "", error: error.code ?? error.name });
    let isComplete = false;
    const outgoing = request(url, { method: "POST", agent: false }, (answer) => {
      let body = "";
      answer.on("data", (chunk: Buffer) => (body += chunk.toString("latin1")));
      answer.on("end", () => {
        isComplete = answer.complete;
        const lines = answer.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? `${name}: ${all[at + 1]}` : []));
        if (isComplete) resolve({ status: answer.statusCode ?? 0, headers: lines.join("\n"), body, error: null });
      });
      answer.on("error", failed);
      outgoing.on("error", (error) => {
        if (!answer.complete) failed(error);
      });
    });
    outgoing.on("upgrade", (_answer, socket) => {
      socket.destroy();
      failed(new Error("upgrade"));
    });
    outgoing.on("error", (error) => {
      if (outgoing.listenerCount("error") === 1) failed(error);
    });
    outgoing.end("event=alarm");
  });
}
