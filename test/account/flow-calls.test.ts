import { expect, it } from "vitest";
import { type FlowCallAnswer, type FlowCallOrder, FlowCalls, type FlowCallRow } from "../../src/account/flow-calls.js";
import { Kernel } from "../../src/sim/index.js";

const origin = { contact: 7, run: "9f1c", flow: 3, node: "77aa" };
const call = { origin, method: "POST", url: "http://127.0.0.1/", headers: { accept: "*/*" }, body: "a" };
const answer: FlowCallAnswer = { durationMs: 4, status: 200, error: null, headers: "A: b", body: Buffer.from("c") };

interface Setup {
  readonly kernel: Kernel;
  readonly calls: FlowCalls;
  readonly orders: FlowCallOrder[];
  readonly rows: FlowCallRow[];
  /** Answers that the listeners got, with the number of recorded rows at that time. */
  readonly heard: { readonly answer: FlowCallAnswer; readonly rowCount: number }[];
  readonly make: () => number;
}

function setup({ hasPort = true }: { readonly hasPort?: boolean } = {}): Setup {
  const kernel = new Kernel(1000);
  const orders: FlowCallOrder[] = [];
  const rows: FlowCallRow[] = [];
  const heard: Setup["heard"] = [];
  let lastId = 40;
  const calls = new FlowCalls({
    kernel,
    ports: hasPort ? { call: (order) => void orders.push(order) } : {},
    table: { nextId: () => ++lastId, put: (row) => void rows.push(row) },
  });
  const make = (): number => calls.make(call, (one) => heard.push({ answer: one, rowCount: rows.length }));
  return { kernel, calls, orders, rows, heard, make };
}

it("a call goes to the port with an id, and its answer to the caller after it is recorded", () => {
  const { kernel, calls, orders, rows, heard, make } = setup();
  expect([make(), make()]).toEqual([41, 42]);
  const { origin: _, ...order } = call;
  expect(orders).toEqual([41, 42].map((id) => ({ ...order, id, atMs: 1000 })));
  expect(calls.waiting).toBe(2);
  kernel.advanceTo(6000);
  calls.applyAnswer(42, answer);
  expect(heard).toEqual([{ answer, rowCount: 1 }]);
  const { headers: _headers, ...recorded } = call;
  expect(rows).toEqual([{ ...recorded, id: 42, atMs: 1000, effectAtMs: 6000, answer }]);
  expect(calls.waiting).toBe(1);
});

it("a second answer to a call, and an answer to an unknown one, have no effect", () => {
  const { calls, rows, heard, make } = setup();
  const id = make();
  calls.applyAnswer(id, answer);
  calls.applyAnswer(id, answer);
  calls.applyAnswer(7, answer);
  expect([rows.length, heard.length]).toEqual([1, 1]);
});

it("without a port each call fails at once, after the caller has its id", () => {
  const { kernel, rows, heard, make } = setup({ hasPort: false });
  make();
  expect(heard).toEqual([]);
  while (kernel.step());
  expect(heard).toMatchObject([{ answer: { status: null, error: "no-sender" } }]);
  expect(kernel.now).toBe(1000);
  expect(rows).toHaveLength(1);
});
