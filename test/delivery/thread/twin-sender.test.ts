import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Exchange, TwinSender } from "../../../src/delivery/index.js";
import { expectEachAnswered, post } from "../posts.js";
import { type TestServer, until, web } from "../servers.js";

type Options = Parameters<typeof TwinSender.start>[0];

async function twin(options: Options, allowHosts: readonly string[] = []): Promise<TwinSender> {
  const made = await TwinSender.start(options, { allowHosts, threadShare: 0.3 });
  onTestFinished(() => made.close());
  return made;
}

/** A receiver that answers nobody until it is told to, and says who has come. */
async function patient(): Promise<{ server: TestServer; came: string[]; answerAll: () => void }> {
  const came: string[] = [];
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const server = await web((request, response) => {
    const answer = (): void => void response.end();
    request.on("data", (body: Buffer) => came.push(body.toString()));
    request.on("end", () => (isOpen ? answer() : waiting.push(answer)));
  });
  const answerAll = (): void => {
    isOpen = true;
    for (const answer of waiting.splice(0)) answer();
  };
  return { server, came, answerAll };
}

describe("two senders with one queue", () => {
  test("bring each answer to whoever has asked, once, however many ask at the same time", async () => {
    await expectEachAnswered(await twin({ connections: 20 }));
  });

  test.each([2, 3, 10, 50])(
    "give a request to whichever of %i connections is free, and none waits beside it",
    async (count) => {
      const { server, came, answerAll } = await patient();
      const sender = await twin({ connections: count });
      const exchanges = Array.from({ length: count }, (_, index) =>
        post(sender, { url: server.url, body: `${index}` }),
      );
      await until(() => came.length === count, "all have come although nobody is answered");
      answerAll();
      for (const exchange of await Promise.all(exchanges)) expect(exchange.status).toBe(200);
    },
  );

  test("send in the order of arrival, each of the two", async () => {
    const ofConnections = new Map<unknown, number[]>();
    const server = await web((request, response) => {
      const { socket } = request;
      const numbers = ofConnections.get(socket) ?? [];
      ofConnections.set(socket, numbers);
      request.on("data", (body: Buffer) => numbers.push(Number(body.toString())));
      request.on("end", () => response.end());
    });
    const sender = await twin({ connections: 10 });
    const count = 4000;
    const exchanges = Array.from({ length: count }, (_, index) =>
      post(sender, { url: server.url, body: `${index}`, timeoutMs: 20_000 }),
    );
    await Promise.all(exchanges);
    const all = [...ofConnections.values()];
    for (const numbers of all) expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(all.flat().toSorted((a, b) => a - b)).toEqual(exchanges.map((_, index) => index));
  });

  test("take back what waits, wherever it does, and send nothing of it", async () => {
    const { server, came, answerAll } = await patient();
    const sender = await twin({ connections: 10 });
    const exchanges = Array.from({ length: 2000 }, () => post(sender, { url: server.url, timeoutMs: 20_000 }));
    await until(() => came.length >= 10, "all connections are busy");
    sender.withdraw();
    answerAll();
    const ended = await Promise.all(exchanges);
    expect(ended.filter(({ status }) => status === 200).length).toBe(10);
    const withdrawn = ended.filter(({ status }) => status === null);
    for (const exchange of withdrawn) expect(exchange).toMatchObject({ error: "withdrawn", sentWallMs: null });
    expect(came.length).toBe(10);
    expect(sender.queued).toBe(0);
    expect(await post(sender, { url: server.url })).toMatchObject({ status: 200 });
  });

  test("end all that is under way or waits when they are closed, and take nothing more", async () => {
    const { server, came } = await patient();
    const sender = await twin({ connections: 4 });
    const exchanges = Array.from({ length: 1000 }, () => post(sender, { url: server.url }));
    await until(() => came.length >= 4, "all connections are busy");
    sender.close();
    exchanges.push(post(sender, { url: server.url }));
    for (const exchange of await Promise.all(exchanges)) expect(exchange).toMatchObject({ error: "sender-closed" });
    await until(() => server.open() === 0, "all connections are closed");
    expect(came.length).toBe(4);
  });

  test("hold what is not due", async () => {
    const { server, answerAll } = await patient();
    answerAll();
    const sender = await twin({ connections: 2 });
    const dueMs = performance.now() + 40;
    const later = post(sender, { url: server.url, notBeforeMs: dueMs });
    expect(sender.held).toBe(1);
    const { status, postedWallMs } = await later;
    expect(status).toBe(200);
    expect(sender.bornMs + (postedWallMs ?? 0)).toBeGreaterThanOrEqual(dueMs - 1e-6);
  });

  test("have one clock", async () => {
    const { server, answerAll } = await patient();
    answerAll();
    const sender = await twin({ connections: 4 });
    const beforeMs = performance.now() - sender.bornMs;
    const exchanges = await Promise.all(Array.from({ length: 8 }, () => post(sender, { url: server.url })));
    const afterMs = performance.now() - sender.bornMs;
    for (const { sentWallMs, durationMs } of exchanges) {
      expect(sentWallMs).toBeGreaterThanOrEqual(beforeMs);
      expect((sentWallMs ?? NaN) + durationMs).toBeLessThanOrEqual(afterMs);
    }
  });

  test("call back once for each request, whatever is done meanwhile", async () => {
    const server = await web((request, response) => {
      if (request.url === "/gone") request.socket.destroy();
      else setTimeout(() => response.end(), Number(request.url?.slice(1)));
    });
    const at = (path: string | number): string => `${server.url}${path}`;
    const act = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ path: fc.constantFrom("0", "3", "gone"), count: fc.integer({ min: 1, max: 300 }) }),
      },
      fc.constantFrom("withdraw" as const, "turn" as const, "close" as const),
    );
    const connectionsOf = fc.integer({ min: 2, max: 12 });
    const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        connectionsOf,
        share,
        fc.array(act, { maxLength: 8 }),
        async (connections, threadShare, acts) => {
          const sender = await TwinSender.start({ connections }, { allowHosts: [], threadShare });
          const calls: number[] = [];
          const exchanges: Promise<Exchange>[] = [];
          for (const one of acts) {
            if (one === "withdraw") sender.withdraw();
            else if (one === "close") sender.close();
            else if (one === "turn") await new Promise((resolve) => setImmediate(resolve));
            else {
              for (let index = 0; index < one.count; index++) {
                const number = calls.push(0) - 1;
                exchanges.push(
                  new Promise((resolve) =>
                    sender.post({ url: at(one.path), body: "", timeoutMs: 20_000 }, (exchange) => {
                      calls[number] = (calls[number] ?? 0) + 1;
                      resolve(exchange);
                    }),
                  ),
                );
              }
            }
          }
          for (const { status, error } of await Promise.all(exchanges)) expect(status === null).toBe(error !== null);
          expect(sender.queued).toBe(0);
          sender.close();
          expect(calls.every((count) => count === 1)).toBe(true);
        },
      ),
      { numRuns: 15 },
    );
  });

  test("say at once what cannot be sent", async () => {
    await expect(twin({ connections: 1 })).rejects.toThrow(/at least 2 connections, got 1/);
    await expect(twin({ connections: 2, headers: { "content-length": "3" } })).rejects.toThrow(RangeError);
    await expect(twin({ connections: 2, ca: "no certificate" })).rejects.toThrow(/ca is not a certificate/);
    const sender = await twin({ connections: 2 });
    const refused = { url: "http://127.0.0.1:1/", body: "", headers: { te: "x" }, timeoutMs: 1 };
    expect(() => sender.post(refused, () => expect.unreachable())).toThrow(RangeError);
    expect(sender.queued).toBe(0);
    const elsewhere = Array.from({ length: 4 }, () => post(sender, { url: "http://elsewhere.example/" }));
    for (const exchange of await Promise.all(elsewhere)) expect(exchange.error).toBe("host-not-allowed");
  });
});
