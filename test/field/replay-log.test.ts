import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readFieldLog } from "../../src/field/index.js";
import { replayRecording } from "../../src/run/index.js";
import { diffReceivers } from "../../src/study/index.js";
import { serveHttp } from "../support/server.js";

const log = fileURLToPath(new URL("fixtures/lines.jsonl", import.meta.url));

/** A receiver that keeps the bodies that it gets, and answers with a text. */
async function receiverWith(answer: string): Promise<{ readonly url: string; readonly bodies: string[] }> {
  const bodies: string[] = [];
  const { url } = await serveHttp((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString("latin1")));
    request.on("end", () => {
      bodies.push(body);
      response.end(answer);
    });
  });
  return { url, bodies };
}

test("a log is replayed as it is, byte for byte, in the order of time; its other lines are counted", async () => {
  const read = await readFieldLog([log]);
  const logged = Array.from(read.inOrderOfTime(), ({ body }) => body);
  read.close();
  const { url, bodies } = await receiverWith("{}");
  const { result } = await replayRecording(log, { receiver: url, recording: "none", pace: "lockstep" });
  expect(bodies).toEqual(logged);
  expect(bodies.length).toBeGreaterThan(3);
  expect(result.warnings?.join("\n")).toMatch(/\d+ of \d+ lines are no events and were not replayed: handset import /);
});

test("two receivers are compared by a log", async () => {
  const [one, other] = [await receiverWith("{}"), await receiverWith('{"text": "hi", "phone": "+250788123456"}')];
  const { answers } = await diffReceivers({
    source: { kind: "recording", path: log },
    receivers: [one.url, other.url],
    ignore: ["latency"],
  });
  expect(answers.differing).toBeGreaterThan(0);
  expect(one.bodies).toEqual(other.bodies);
});

test("of a log without the texts of answers, only what it has is compared", async () => {
  const access = fileURLToPath(new URL("../../docs/examples/tuesday/access.log", import.meta.url));
  const compare = async (url: string) => {
    const options = { receiver: url, recording: "none", pace: "lockstep", answers: "compare" } as const;
    return (await replayRecording(access, options)).result;
  };
  const { url } = await receiverWith('{"text": "hi", "phone": "+250788123456"}');
  expect((await compare(url)).answers).toMatchObject({ compared: 141, differing: 0, textless: 141 });
  const failing = await serveHttp((_request, response) => response.writeHead(404).end());
  const { answers, differences = [] } = await compare(failing.url);
  expect(answers).toMatchObject({ differing: 141 });
  expect(differences[0]).toMatchObject({ what: "status", recorded: 200, now: 404 });
});

test("a file without any event is refused with the command that says why", async () => {
  const { url } = await receiverWith("{}");
  await expect(replayRecording("package.json", { receiver: url, recording: "none" })).rejects.toMatchObject({
    code: "bad-options",
    message: expect.stringContaining("none of its"),
    hint: "handset import package.json says why",
  });
});
