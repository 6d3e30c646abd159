import { expect, it } from "vitest";
import {
  answerCalls,
  type Assets,
  type FlowDefinition,
  type Host,
  interruptSession,
  readContact,
  readDefinition,
  resumeSession,
  startSession,
} from "../../src/flow/index.js";
import { emptyAssets } from "./empty-assets.js";
import { act, ann, ask, channel, definition, eventsOf, message, play, split, typesOf } from "./player.js";

it("asks, stores the answer and continues", () => {
  const [first, second] = play({
    nodes: [
      act("greet", [{ type: "send_msg", text: "How old are you, @contact.first_name?" }], "wait"),
      split("wait", {
        cases: [["has_number_between", ["1", "120"], "Age"]],
        wait: { type: "msg" },
        result_name: "Your Age",
        to: { Age: "store" },
      }),
      act("store", [
        { type: "set_contact_field", field: { key: "age", name: "Age" }, value: "@results.your_age" },
        { type: "send_msg", text: "@fields.age it is" },
      ]),
    ],
    resumes: [message("I am 33")],
  });
  expect([first?.status, second?.status]).toEqual(["waiting", "completed"]);
  expect(typesOf(first)).toEqual(["msg_created", "msg_wait"]);
  expect(eventsOf(first, "msg_created")[0]?.["msg"]).toMatchObject({
    text: "How old are you, Ann?",
    urn: "tel:+250788123123?channel=android",
    channel: { uuid: "android", name: "Android" },
  });
  expect(typesOf(second)).toEqual(["msg_received", "run_result_changed", "contact_field_changed", "msg_created"]);
  expect(eventsOf(second, "run_result_changed")).toEqual([
    { name: "Your Age", value: "33", category: "Age", input: "I am 33" },
  ]);
  expect(eventsOf(second, "contact_field_changed")[0]).toMatchObject({ value: { text: "33", number: 33 } });
  expect(second?.runs[0]).toMatchObject({
    status: "completed",
    path: [{ node_uuid: "greet" }, { node_uuid: "wait" }, { node_uuid: "store" }],
    results: { your_age: { name: "Your Age", value: "33", category: "Age" } },
  });
});

it("uses the message of the trigger for the wait of the very first node only", () => {
  const trigger = { type: "msg", msg: { text: "join" } };
  const [atOnce] = play({ nodes: [ask("first", "First")], trigger });
  expect(typesOf(atOnce)).toEqual(["msg_received", "run_result_changed"]);
  const [later] = play({ nodes: [act("hello", [], "second"), ask("second", "Second")], trigger });
  expect(typesOf(later)).toEqual(["msg_received", "msg_wait"]);
});

it("times out into the timeout's category, with the moment as value", () => {
  const nodes = [
    ask("wait", "Answer", {
      other: "No Response",
      wait: { type: "msg", timeout: { seconds: 600, category_uuid: "wait-No Response" } },
    }),
  ];
  const [first, second] = play({ nodes, resumes: [{ type: "wait_timeout" }] });
  expect(eventsOf(first, "msg_wait")[0]).toMatchObject({ timeout_seconds: 600 });
  expect(typesOf(second)).toEqual(["wait_timed_out", "run_result_changed"]);
  expect(eventsOf(second, "run_result_changed")).toEqual([
    { name: "Answer", value: "2026-03-02T08:15:00.000000Z", category: "No Response" },
  ]);
});

it("rejects a resume that the wait does not take, and continues waiting", () => {
  const [, rejected, answered] = play({
    nodes: [ask("wait", "Answer")],
    resumes: [{ type: "wait_timeout" }, message("yes")],
  });
  expect([rejected?.status, typesOf(rejected)]).toEqual(["waiting", ["error"]]);
  expect(answered?.status).toBe("completed");
});

const parent = [
  split("sub", {
    actions: [{ type: "enter_flow", flow: { uuid: "child", name: "Child" } }],
    operand: "@child.run.status",
    cases: [["has_only_text", ["completed"], "Complete"]],
    other: "Expired",
    to: { Complete: "after" },
  }),
  act("after", [{ type: "send_msg", text: "You like @child.results.colour" }]),
];
const child = definition([ask("colour", "Colour")], { uuid: "child", name: "Child" });

it("returns from a sub-flow to the router of its node", () => {
  const [first, second] = play({ nodes: parent, flows: [child], resumes: [message("blue")] });
  expect(typesOf(first)).toEqual(["flow_entered", "msg_wait"]);
  expect(first?.runs.map(({ status }) => status)).toEqual(["active", "waiting"]);
  expect(eventsOf(second, "msg_created")[0]?.["msg"]).toMatchObject({ text: "You like blue" });
  expect(second?.runs.map(({ status }) => status)).toEqual(["completed", "completed"]);
});

it("routes the parent of an expired run, which itself continues", () => {
  const [, second] = play({ nodes: parent, flows: [child], resumes: [{ type: "run_expiration" }] });
  expect(typesOf(second)).toEqual(["run_expired"]);
  expect(second?.runs.map(({ status }) => status)).toEqual(["completed", "expired"]);
});

it("ends the other runs when it enters a flow for good", () => {
  const terminal = act(
    "leave",
    [{ type: "enter_flow", flow: { uuid: "child", name: "Child" }, terminal: true }],
    "never",
  );
  const nodes = [terminal, act("never", [{ type: "send_msg", text: "Still here" }])];
  const [first, second] = play({ nodes, flows: [child], resumes: [message("red")] });
  expect(first?.runs.map(({ status }) => status)).toEqual(["completed", "waiting"]);
  expect([second?.status, typesOf(second)]).toEqual(["completed", ["msg_received", "run_result_changed"]]);
});

it("fails a run whose sub-flow is missing, or of another type, and its parents", () => {
  const [missing] = play({ nodes: parent });
  expect([missing?.status, eventsOf(missing, "failure")]).toEqual([
    "failed",
    [{ text: "no such flow with UUID 'child'" }],
  ]);
  const inner = definition([act("deep", [{ type: "enter_flow", flow: { uuid: "voice", name: "Call" } }])], {
    uuid: "child",
    name: "Child",
  });
  const voice = definition([], { uuid: "voice", name: "Call", type: "voice" });
  const [nested] = play({ nodes: parent, flows: [inner, voice] });
  expect(nested?.runs.map(({ status }) => status)).toEqual(["failed", "failed"]);
  expect(eventsOf(nested, "failure")).toEqual([
    { text: "can't enter flow[uuid=voice,name=Call] of type voice from type messaging" },
    { text: "child run for flow 'child' ended in error, ending execution" },
  ]);
});

it("fails a loop after 100 nodes", () => {
  const [sprint] = play({ nodes: [act("a", [], "b"), act("b", [], "a")] });
  expect(sprint?.status).toBe("failed");
  expect(eventsOf(sprint, "failure")).toEqual([{ text: "reached maximum number of steps per sprint (100)" }]);
  expect(sprint?.runs[0]?.["path"]).toHaveLength(100);
});

it("completes a flow without nodes at once", () => {
  expect(play({ nodes: [] })[0]).toMatchObject({ status: "completed", events: [] });
});

it("draws each category of a random router", () => {
  const random = {
    uuid: "draw",
    actions: [],
    router: {
      type: "random",
      result_name: "Bucket",
      categories: ["a", "b", "c"].map((name) => ({ uuid: name, name, exit_uuid: `${name}-exit` })),
    },
    exits: ["a", "b", "c"].map((name) => ({ uuid: `${name}-exit`, destination_uuid: "again" })),
  };
  const again = split("again", {
    operand: "@node.visit_count",
    cases: [["has_number_lt", ["40"], "More"]],
    to: { More: "draw" },
  });
  const [sprint] = play({ nodes: [random, again] });
  const drawn = eventsOf(sprint, "run_result_changed");
  expect(new Set(drawn.map(({ category }) => category))).toEqual(new Set(["a", "b", "c"]));
  for (const { value, category } of drawn) expect(["a", "b", "c"][Number(value)]).toBe(category);
});

function hostOf(...flows: readonly FlowDefinition[]): Host {
  let uuids = 0;
  const assets: Assets = {
    ...emptyAssets,
    flow: (uuid) => flows.find((flow) => flow.uuid === uuid),
    channel: () => channel,
    channels: () => [channel],
  };
  return {
    environment: { timezone: "UTC", dateFormat: "DD-MM-YYYY", timeFormat: "tt:mm", allowedLanguages: [] },
    assets,
    now: () => 1_772_439_300_000,
    random: () => 0,
    uuid: () => `uuid-${uuids++}`,
  };
}

const manual = { type: "manual", flow: { uuid: "main", name: "Main" }, triggeredAtMs: 0 } as const;

it("waits for HTTP as plain JSON, and continues with the actions after the call", () => {
  const nodes = [
    act("call", [
      { type: "call_webhook", method: "get", url: "https://example.org/@contact.id", result_name: "Hook" },
      { type: "send_msg", text: "Got @webhook.price" },
    ]),
  ];
  const host = hostOf(readDefinition(definition(nodes)));
  const first = startSession(host, readContact(ann), manual);
  expect(first.session.status).toBe("calling");
  expect(first.calls).toEqual([{ method: "GET", url: "https://example.org/7", headers: {}, body: "" }]);
  const stored = JSON.parse(JSON.stringify(first.session)) as typeof first.session;
  const second = answerCalls(host, stored, first.contact, [{ status: 200, body: '{"price": 12.50}' }]);
  expect(second.events.map(({ type }) => type)).toEqual(["webhook_called", "run_result_changed", "msg_created"]);
  expect(second.events.at(-1)).toMatchObject({ msg: { text: "Got 12.5" } });
  expect(second.session.runs[0]?.results["hook"]).toMatchObject({
    value: "200",
    category: "Success",
    input: "GET https://example.org/7",
    extraJson: '{"price": 12.50}',
  });
});

it("keeps every answer, and changes copies only", () => {
  const again = split("wait", {
    cases: [["has_number", [], "Number"]],
    wait: { type: "msg" },
    result_name: "Age",
    to: { Other: "wait" },
  });
  const host = hostOf(readDefinition(definition([again])));
  const first = startSession(host, readContact(ann), manual);
  const before = JSON.stringify(first.session);
  const answer = (text: string) => ({ type: "msg", resumedAtMs: 0, msg: { text } }) as const;
  const second = resumeSession(host, first.session, first.contact, answer("what?"));
  expect(JSON.stringify(first.session)).toBe(before);
  const last = resumeSession(host, second.session, second.contact, answer("about 40"));
  expect(last.session.runs[0]?.answers).toMatchObject([
    { label: "Age", category: "Other", value: "what?", text: "what?" },
    { label: "Age", category: "Number", value: "40", text: "about 40" },
  ]);
  expect(second.session.wait).toMatchObject({ type: "msg", expiresAtMs: host.now() + 10_080 * 60_000 });
});

it("interrupts the runs of a waiting session", () => {
  const host = hostOf(readDefinition(definition(parent)), readDefinition(child));
  const { session } = startSession(host, readContact(ann), manual);
  const interrupted = interruptSession(session, 5);
  expect(interrupted).toMatchObject({ status: "interrupted", endedAtMs: 5 });
  expect(interrupted.runs.map(({ status, exitedAtMs }) => [status, exitedAtMs])).toEqual([
    ["interrupted", 5],
    ["interrupted", 5],
  ]);
  expect(interrupted.wait).toBeUndefined();
});

it("fails a session whose flow has changed under it", () => {
  const host = hostOf(readDefinition(definition([ask("wait", "Answer")])));
  const { session, contact } = startSession(host, readContact(ann), manual);
  const changed = hostOf(readDefinition(definition([act("other", [])])));
  const { session: failed, events } = resumeSession(changed, session, contact, {
    type: "msg",
    resumedAtMs: 0,
    msg: { text: "yes" },
  });
  expect(failed.status).toBe("failed");
  expect(events).toMatchObject([{ type: "failure" }]);
});

it("has seen the contact when its message came", () => {
  const said = act("said", [{ type: "send_msg", text: "@contact.last_seen_on" }]);
  const [started] = play({
    nodes: [said],
    contact: { last_seen_on: "2026-01-01T00:00:00Z" },
    trigger: { type: "msg", triggered_on: "2026-02-03T04:05:06Z", msg: { text: "hi" } },
  });
  expect(started?.events).toMatchObject([{}, { msg: { text: "2026-02-03T04:05:06.000000Z" } }]);
  const [manual] = play({ nodes: [said], contact: { last_seen_on: "2026-01-01T00:00:00Z" } });
  expect(manual?.events).toMatchObject([{ msg: { text: "2026-01-01T00:00:00.000000Z" } }]);
});

it("receives the message that starts a flow without nodes", () => {
  const [sprint] = play({ nodes: [], trigger: { type: "msg", msg: { text: "hi" } } });
  expect(sprint).toMatchObject({ status: "completed", events: [{ type: "msg_received" }] });
});
