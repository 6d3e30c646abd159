import { describe, expect, it } from "vitest";
import type { ContactRow, FlowRow, RunRow } from "../../src/account/index.js";
import { Service } from "../gateway/service.js";
import { addCountry } from "./add-country.js";
import { heard, phone, serviceWith as serviceWithFlows, text } from "./conversation.js";
import { flowOf, nodeUuid, say } from "./flow-builder.js";

const number: readonly [string, readonly string[], string] = ["has_number", [], "Has number"];

const registration = flowOf(1, "Registration", [
  { actions: [say("What is your name?")] },
  { ask: { result: "Name", cases: [["has_text", [], "All"]] } },
  {
    actions: [{ type: "set_contact_name", name: "@results.name" }, say("How old are you, @results.name?")],
  },
  { name: "age", ask: { result: "Age", cases: [number] }, to: { Other: "again" } },
  {
    actions: [
      { type: "set_contact_field", field: { key: "age", name: "Age" }, value: "@results.age" },
      say("Thank you, @contact.name (@fields.age)"),
    ],
    to: { "": null },
  },
  { name: "again", actions: [say("A number, please")], to: { "": "age" } },
]);

/** A service with flows, the field "Age" and the keyword "join". */
function serviceWith(...flows: ReturnType<typeof flowOf>[]): Service {
  const service = serviceWithFlows(...flows);
  service.account.fields.add({ key: "age", label: "Age", type: "numeric" });
  return service;
}

function runsOf(service: Service): RunRow[] {
  const { runs } = service.recording.tables;
  const found: RunRow[] = [];
  for (let id = 1, run; (run = runs.get(id)) !== undefined; id++) found.push(run);
  return found;
}

function contactOf(service: Service): ContactRow | undefined {
  return service.recording.tables.contacts.byUrn(`tel:${phone}`);
}

describe("a session", () => {
  it("starts by a keyword, asks, stores what it hears, and ends", () => {
    const service = serviceWith(registration);
    text(service, "Join please");
    expect(heard(service)).toEqual(["What is your name?"]);
    expect(runsOf(service)).toMatchObject([{ exit: null, hasResponded: true, path: [{ node: nodeUuid(1, 0) }, {}] }]);
    service.passTo(60_000);
    text(service, "Ada");
    text(service, "many");
    text(service, "44 years");
    expect(heard(service)).toEqual(["How old are you, Ada?", "A number, please", "Thank you, Ada (44)"]);
    expect(contactOf(service)).toMatchObject({ name: "Ada", fields: { age: "44" } });
    const [run] = runsOf(service);
    expect(run).toMatchObject({
      exit: "completed",
      exitedAtMs: 60_000,
      hasResponded: true,
      results: {
        name: { value: "Ada", category: "All" },
        age: { value: "44", category: "Has number", input: "44 years" },
      },
    });
    expect(run?.answers.map(({ label, category, text: words }) => [label, category, words])).toEqual([
      ["Name", "All", "Ada"],
      ["Age", "Other", "many"],
      ["Age", "Has number", "44 years"],
    ]);
    expect(service.recording.tables.flowSessions.all()).toEqual([]);
  });

  it("puts its texts into the folder of flows, and leaves the others in the inbox", () => {
    const service = serviceWith(registration);
    text(service, "hello");
    text(service, "join");
    text(service, "Ada", "+250781000002");
    expect(service.messages.map(({ direction, text: words, type, flow }) => [direction, words, type, flow])).toEqual([
      ["I", "hello", "inbox", null],
      ["I", "join", "flow", 1],
      ["O", "What is your name?", "flow", 1],
      ["I", "Ada", "inbox", null],
    ]);
  });

  it("expires after the flow's minutes, and is interrupted by another flow", () => {
    const service = serviceWith(registration, flowOf(2, "News", [{ actions: [say("News")] }]));
    text(service, "join");
    service.passTo(720 * 60_000 - 1);
    expect(runsOf(service)).toMatchObject([{ exit: null }]);
    service.passTo(720 * 60_000);
    expect(runsOf(service)).toMatchObject([{ exit: "expired", exitedAtMs: 720 * 60_000 }]);
    text(service, "join");
    const contact = contactOf(service) as ContactRow;
    service.account.flowStarts.add({
      flow: 2,
      groups: [],
      contacts: [contact.row],
      restartsParticipants: true,
      excludesActive: false,
      extra: null,
      embeddedData: null,
    });
    service.passTo(service.kernel.now);
    expect(runsOf(service).map(({ flow, exit, start }) => [flow, exit, start])).toEqual([
      [1, "expired", null],
      [1, "interrupted", null],
      [2, "completed", 1],
    ]);
    expect(service.recording.tables.flowStarts.get(1)).toMatchObject({ status: "complete", total: 1 });
  });

  it("times out on the virtual clock", () => {
    const poll = flowOf(1, "Poll", [
      { actions: [say("Yes or no?")] },
      {
        name: "ask",
        ask: { result: "Vote", cases: [["has_any_word", ["yes"], "Yes"]], timeoutSeconds: 300 },
        to: { "No Response": "late", Yes: null, Other: null },
      },
      { name: "late", actions: [say("Too late: @results.vote.category")] },
    ]);
    const service = serviceWith(poll);
    text(service, "join");
    service.passTo(299_999);
    expect(heard(service)).toEqual(["Yes or no?"]);
    service.passTo(300_000);
    expect(heard(service)).toEqual(["Too late: No Response"]);
    expect(runsOf(service)).toMatchObject([{ exit: "completed", results: { vote: { category: "No Response" } } }]);
  });

  it("survives that the service is closed and opened again", () => {
    const before = serviceWith(registration);
    text(before, "join");
    text(before, "Ada");
    const { recording } = before;
    const after = new Service({}, { recording });
    text(after, "44");
    expect(heard(after)).toEqual(["Thank you, Ada (44)"]);
    expect(runsOf(after)).toMatchObject([{ exit: "completed" }]);
  });
});

it("lets at most 100 searches for recipients wait, and notes the others", () => {
  const say = { type: "send_broadcast", text: "Hi", contact_query: "name = Ann" };
  const service = serviceWith(flowOf(1, "Calls", [{ actions: Array.from({ length: 101 }, () => say) }]));
  const { account, recording } = service;
  const contact = account.contacts.add({ name: "Ann", urns: [`tel:${phone}`] });
  const [flow] = recording.tables.flows.all() as [FlowRow];
  account.workload.beginInput();
  account.workload.add(50_000);
  account.flowSessions.start(contact, flow, { cause: { type: "manual" } });
  expect(service.notes.map((note) => note.text)).toEqual([
    "flow 'Calls': contacts were not searched: 100 other searches wait",
  ]);
  expect(heard(service)).toEqual([]);
  service.passTo(60_000);
  expect(heard(service)).toHaveLength(100);
});

describe("a call of a flow", () => {
  const order = flowOf(1, "Order", [
    { actions: [say("Which order?")] },
    { ask: { result: "Order", cases: [number] } },
    {
      actions: [
        {
          type: "call_webhook",
          method: "POST",
          url: "http://127.0.0.1/orders?id=@results.order",
          headers: { "Content-Type": "application/json" },
          body: '@(json(object("id", results.order.value)))',
          result_name: "Status",
        },
      ],
      split: {
        operand: "@results.status.category",
        cases: [["has_only_text", ["Success"], "Success"]],
        other: "Failure",
      },
      to: { Failure: "failed", Success: "found" },
    },
    { name: "found", actions: [say("It is @webhook.state")], to: { "": null } },
    { name: "failed", actions: [say("Try later")] },
  ]);

  it("posts a flow event with all answers, makes the call, and continues with its answer", () => {
    const service = serviceWith(order);
    text(service, "join");
    text(service, "order 12");
    const event = service.events.at(-1);
    expect(event).toMatchObject({
      event: "flow",
      relayer: "1",
      phone,
      flow: "1",
      flow_name: "Order",
      flow_base_language: "eng",
      step: nodeUuid(1, 2),
    });
    expect(JSON.parse(event?.["values"] ?? "")).toMatchObject([
      { label: "Order", category: "Has number", value: "12", text: "order 12" },
    ]);
    expect(service.flowCalls).toMatchObject([
      { method: "POST", url: "http://127.0.0.1/orders?id=12", body: '{"id":"12"}' },
    ]);
    heard(service);
    const body = new TextEncoder().encode('{"state":"packed"}');
    service.account.flowCalls.applyAnswer(1, { durationMs: 3, status: 200, error: null, headers: null, body });
    expect(heard(service)).toEqual(["It is packed"]);
    expect(runsOf(service)).toMatchObject([
      { exit: "completed", results: { status: { value: "200", category: "Success" } } },
    ]);
  });

  it("is made again when the service was closed before the answer; a text meanwhile is not lost", () => {
    const before = serviceWith(order);
    text(before, "join");
    text(before, "12");
    const after = new Service({}, { recording: before.recording });
    expect(after.flowCalls).toMatchObject([{ url: "http://127.0.0.1/orders?id=12" }]);
    expect(after.events).toEqual([]);
    after.account.flowCalls.applyAnswer(after.flowCalls[0]?.id ?? 0, {
      durationMs: 0,
      status: null,
      error: "ECONNREFUSED",
      headers: null,
      body: null,
    });
    expect(heard(after)).toEqual(["Try later"]);
  });

  it("leaves a text that came meanwhile to the triggers, when the flow ends with it", () => {
    const service = serviceWith(order, flowOf(2, "Menu", [{ actions: [say("Menu for @input.text")] }]));
    const none = { keyword: null, matchType: "F", channel: null, groups: [], excludeGroups: [] } as const;
    service.account.triggers.add({ ...none, type: "C", flow: 2 });
    text(service, "join");
    text(service, "12");
    text(service, "hello");
    heard(service);
    const body = new TextEncoder().encode('{"state":"packed"}');
    const id = service.flowCalls[0]?.id ?? 0;
    service.account.flowCalls.applyAnswer(id, { durationMs: 3, status: 200, error: null, headers: null, body });
    expect(heard(service)).toEqual(["It is packed", "Menu for hello"]);
  });
});

describe("places in flows", () => {
  it("are those of the account", () => {
    const where = flowOf(1, "Where", [
      { actions: [say("Which state?")] },
      { ask: { result: "State", cases: [["has_state", [], "State"]] } },
      { actions: [say("@results.state")] },
    ]);
    const service = serviceWith(where);
    addCountry(service.account.boundaries, {
      osmId: "R1",
      name: "Velmara",
      aliases: [],
      geometry: null,
      parts: [{ osmId: "R2", name: "Ahuni", aliases: ["Ahun"], geometry: null, parts: [] }],
    });
    text(service, "join");
    text(service, "in ahun, near the lake");
    expect(heard(service)).toEqual(["Which state?", "Velmara > Ahuni"]);
  });
});
