import { describe, expect, it } from "vitest";
import { flowOf, flowUuid, nodeUuid, say } from "../account/flow-builder.js";
import { expectConforming } from "./conforms.js";
import { type Answered, Rig } from "./rig.js";
import { startsAtMs } from "../gateway/service.js";

const amina = "+254711000222";
const [poll, other, inner, quiet, empty, broken] = [1, 2, 3, 4, 5, 6];

/** Asks a number; "stop" fails the run, because nothing leads on. */
const flows = [
  flowOf(poll, "Poll", [
    { actions: [say("How many nets?")] },
    { name: "ask", ask: { result: "Nets left", cases: [["has_number", [], "Has number"]] }, to: { Other: "again" } },
    {
      actions: [{ type: "add_input_labels", labels: [{ uuid: flowUuid(90), name: "Counted" }] }, say("Thanks")],
      to: { "": null },
    },
    { name: "again", actions: [say("A number")], to: { "": "ask" } },
  ]),
  flowOf(other, "News", [{ actions: [say("News")] }, { ask: { result: "Read", cases: [] } }]),
  flowOf(inner, "Outer", [
    {
      actions: [{ type: "enter_flow", flow: { uuid: flowUuid(poll), name: "Poll" } }],
      split: { operand: "@child.status", cases: [["has_only_text", ["completed"], "Complete"]], other: "Expired" },
    },
    { actions: [{ type: "set_run_result", name: "Done", value: "yes", category: "" }] },
  ]),
  flowOf(quiet, "Quiet", [{ actions: [say("In the background")] }], { type: "messaging_background" }),
  flowOf(empty, "Empty", []),
  flowOf(broken, "Broken", [
    {
      split: { operand: "@(1 / 0)", cases: [] },
      actions: [{ type: "enter_flow", flow: { uuid: flowUuid(99), name: "Gone" } }],
    },
  ]),
];

async function startRig(): Promise<Rig> {
  const rig = await Rig.start();
  const { account } = rig.service;
  for (const flow of flows) account.flows.add(flow);
  account.labels.add({ uuid: flowUuid(90), name: "Counted" });
  account.contacts.add({ name: "Amina", urns: [`tel:${amina}`] });
  return rig;
}

/** Starts a flow for Amina. */
async function startFlow(rig: Rig, flow: number, more: object = {}): Promise<Answered["body"]> {
  const answered = await rig.post("flow_starts.json", { flow: flowUuid(flow), urns: [`tel:${amina}`], ...more });
  expect(answered.status).toBe(201);
  rig.service.passTo(rig.service.kernel.now);
  return answered.body;
}

function text(rig: Rig, words: string): void {
  const { service } = rig;
  service.sync(1, [{ type: "mo_sms", phone: amina, text: words, timeMs: startsAtMs + service.kernel.now }]);
}

const resultsOf = async (rig: Rig, path: string): Promise<Answered["body"][]> => (await rig.get(path)).body.results;

describe("a run", () => {
  it("is listed at every moment: waiting, answered, completed", async () => {
    const rig = await startRig();
    const start = await startFlow(rig, poll, { embedded_data: { clinic: "Likoni" } });
    const [waiting] = await resultsOf(rig, "runs.json");
    expect(waiting).toMatchObject({
      flow: { uuid: flowUuid(poll), name: "Poll" },
      contact: { name: "Amina" },
      start: { uuid: start.uuid },
      responded: false,
      path: [{ node: nodeUuid(poll, 0), time: "2026-03-04T06:00:00.000000Z" }, { node: nodeUuid(poll, 1) }],
      values: {},
      created_on: "2026-03-04T06:00:00.000000Z",
      exited_on: null,
      exit_type: null,
      embedded_fields: { clinic: "Likoni" },
    });
    expect(await resultsOf(rig, "contacts.json")).toMatchObject([{ flow: { uuid: flowUuid(poll), name: "Poll" } }]);
    expect((await resultsOf(rig, `flows.json?uuid=${flowUuid(poll)}`))[0].runs).toEqual({
      active: 1,
      waiting: 0,
      completed: 0,
      interrupted: 0,
      expired: 0,
      failed: 0,
    });

    rig.service.passTo(60_000);
    text(rig, "many");
    expect(await resultsOf(rig, "runs.json?responded=true")).toMatchObject([
      {
        responded: true,
        values: {
          nets_left: { name: "Nets left", value: "many", category: "Other", input: "many", node: nodeUuid(poll, 1) },
        },
        modified_on: "2026-03-04T06:01:00.000000Z",
        exit_type: null,
      },
    ]);
    rig.service.passTo(120_000);
    text(rig, "about 12");
    const answered = await rig.get(`runs.json?flow=${flowUuid(poll)}&after=2026-03-04T06:02:00`);
    expectConforming(rig, "GET runs.json", answered);
    expect(answered.body.results).toMatchObject([
      {
        id: waiting.id,
        uuid: waiting.uuid,
        values: {
          nets_left: { value: "12", category: "Has number", input: "about 12", time: "2026-03-04T06:02:00.000000Z" },
        },
        exited_on: "2026-03-04T06:02:00.000000Z",
        exit_type: "completed",
      },
    ]);
    expect(answered.body.results[0].path.map(({ node }: { node: string }) => node)).toEqual(
      [0, 1, 3, 1, 2].map((index) => nodeUuid(poll, index)),
    );
    expect(await resultsOf(rig, "runs.json?before=2026-03-04T06:01:59")).toEqual([]);
    expect(await resultsOf(rig, "contacts.json")).toMatchObject([
      { flow: null, last_seen_on: "2026-03-04T06:02:00.000000Z" },
    ]);
    expect((await resultsOf(rig, `flows.json?uuid=${flowUuid(poll)}`))[0].runs).toMatchObject({
      active: 0,
      completed: 1,
    });
  });

  it("fails with its parent's failure, and its start is complete", async () => {
    const rig = await startRig();
    await startFlow(rig, broken);
    expect(await resultsOf(rig, "runs.json")).toMatchObject([
      { exit_type: "failed", exited_on: "2026-03-04T06:00:00.000000Z" },
    ]);
    expect((await resultsOf(rig, `flows.json?uuid=${flowUuid(broken)}`))[0].runs).toMatchObject({
      active: 0,
      failed: 1,
    });
    expect(await resultsOf(rig, "flow_starts.json")).toMatchObject([
      { status: "complete", progress: { total: 1, started: 1 } },
    ]);
    expect(await resultsOf(rig, "contacts.json")).toMatchObject([{ flow: null }]);
  });

  it("of a parent is active while its child waits; both belong to the start", async () => {
    const rig = await startRig();
    const start = await startFlow(rig, inner);
    const runs = await resultsOf(rig, "runs.json");
    expect(runs.map((run) => `${run.flow.name} ${run.exit_type} ${run.start?.uuid}`).toSorted()).toEqual([
      `Outer null ${start.uuid}`,
      `Poll null ${start.uuid}`,
    ]);
    const counts = await resultsOf(rig, "flows.json");
    const of = (name: string): object => counts.find((flow) => flow.name === name).runs;
    expect([of("Outer"), of("Poll")]).toMatchObject([
      { active: 1, waiting: 0 },
      { active: 1, waiting: 0 },
    ]);
    expect(await resultsOf(rig, "flow_starts.json")).toMatchObject([{ progress: { total: 1, started: 1 } }]);
    expect(await resultsOf(rig, "contacts.json")).toMatchObject([{ flow: { name: "Poll" } }]);
    text(rig, "3");
    expect(
      (await resultsOf(rig, "runs.json")).map((run) => `${run.flow.name} ${run.exit_type} ${run.responded}`).toSorted(),
    ).toEqual(["Outer completed false", "Poll completed true"]);
  });
});

describe("a contact in a flow", () => {
  it("is interrupted by another flow and by contact actions, not by a background flow", async () => {
    const rig = await startRig();
    await startFlow(rig, poll);
    await startFlow(rig, quiet);
    expect((await resultsOf(rig, "runs.json")).map((run) => `${run.flow.name} ${run.exit_type}`)).toEqual([
      "Quiet completed",
      "Poll null",
    ]);
    await startFlow(rig, other);
    await rig.post("contact_actions.json", { contacts: [`tel:${amina}`], action: "interrupt" });
    text(rig, "late");
    expect((await resultsOf(rig, "runs.json")).map((run) => `${run.flow.name} ${run.exit_type}`).toSorted()).toEqual([
      "News interrupted",
      "Poll interrupted",
      "Quiet completed",
    ]);
    expect(await resultsOf(rig, "messages.json?folder=inbox")).toMatchObject([{ text: "late", flow: null }]);

    await startFlow(rig, poll);
    await rig.post("contact_actions.json", { contacts: [`tel:${amina}`], action: "archive" });
    expect(await resultsOf(rig, "contacts.json")).toMatchObject([{ flow: { name: "Poll" } }]);
    expect(await resultsOf(rig, "messages.json?folder=archived")).toMatchObject([{ text: "late" }]);
    await rig.post("contact_actions.json", { contacts: [`tel:${amina}`], action: "block" });
    expect((await resultsOf(rig, "runs.json"))[0]).toMatchObject({ exit_type: "interrupted" });
    text(rig, "blocked");
    expect(await resultsOf(rig, "messages.json?folder=flows")).toEqual([]);
    await rig.post("contact_actions.json", { contacts: [`tel:${amina}`], action: "unblock" });
    await startFlow(rig, poll);
    await rig.post("contact_actions.json", { contacts: [`tel:${amina}`], action: "delete" });
    expect(await resultsOf(rig, "runs.json")).toEqual([]);
    rig.service.passTo(rig.service.kernel.now + 800 * 60_000);
    expect(await resultsOf(rig, "runs.json")).toEqual([]);
    expect((await resultsOf(rig, `flows.json?uuid=${flowUuid(poll)}`))[0].runs).toMatchObject({
      active: 0,
      waiting: 0,
    });
  });
});

describe("messages of flows", () => {
  it("have the type and the flow in both directions, and lie in the folders", async () => {
    const rig = await startRig();
    await startFlow(rig, poll);
    const flow = { uuid: flowUuid(poll), name: "Poll" };
    expect(await resultsOf(rig, "messages.json?folder=outbox")).toMatchObject([
      { text: "How many nets?", type: "flow", flow, direction: "out", status: "queued", broadcast: null },
    ]);
    text(rig, "5");
    expect(await resultsOf(rig, "messages.json?folder=flows")).toMatchObject([
      { text: "5", type: "flow", flow, direction: "in", status: "handled", labels: [{ name: "Counted" }] },
    ]);
    expect(await resultsOf(rig, "messages.json?folder=inbox")).toEqual([]);
    expect(await resultsOf(rig, "messages.json?label=Counted")).toMatchObject([{ text: "5" }]);
    expect(await resultsOf(rig, "labels.json")).toMatchObject([{ name: "Counted", count: 1 }]);
    const { service } = rig;
    for (const channel of [1, 2]) service.sync(channel);
    for (const { direction, channel, id } of service.messages)
      if (direction === "O") service.sync(channel, [{ type: "mt_sent", id, timeMs: startsAtMs + service.kernel.now }]);
    expect((await resultsOf(rig, "messages.json?folder=sent")).map((one): string => one.text).toSorted()).toEqual([
      "How many nets?",
      "Thanks",
    ]);
  });

  it("to others are a broadcast in the languages of the flow", async () => {
    const rig = await startRig();
    const { account } = rig.service;
    const { uuid } = account.contacts.add({ name: "Chef", urns: ["tel:+254711000400"] });
    const send = { type: "send_broadcast", text: "@contact.name needs nets, @@", contacts: [{ uuid, name: "Chef" }] };
    account.flows.add(flowOf(7, "Tell", [{ actions: [send] }]));
    await startFlow(rig, 7);
    rig.service.passTo(rig.service.kernel.now + 1000);
    expect(await resultsOf(rig, "broadcasts.json")).toMatchObject([
      { text: { eng: "Amina needs nets, @@" }, contacts: [{ name: "Chef" }] },
    ]);
    expect(await resultsOf(rig, "messages.json")).toMatchObject([
      { text: "Amina needs nets, @", type: "inbox", contact: { name: "Chef" }, broadcast: 1 },
    ]);
  });
});

describe("a flow start", () => {
  it("counts what it starts, skips who is not active, and skips participants when asked", async () => {
    const rig = await startRig();
    const { account } = rig.service;
    account.groups.add({ uuid: flowUuid(91), name: "Staff" });
    const people = [1, 2, 3, 4].map((n) => account.contacts.add({ name: `P${n}`, urns: [`tel:+25471100030${n}`] }));
    const uuids = people.map(({ uuid }) => uuid);
    await rig.post("contact_actions.json", { contacts: uuids.slice(0, 2), action: "add", group: "Staff" });
    await rig.post("contact_actions.json", { contacts: [uuids[2]], action: "block" });
    const order = { groups: ["Staff"], contacts: [uuids[0], uuids[2]], urns: [`tel:${amina}`, "tel:+254711000999"] };
    const answered = await rig.post("flow_starts.json", { flow: flowUuid(poll), ...order });
    expect(answered.body).toMatchObject({ status: "pending" });
    rig.service.passTo(1000);
    const [start] = await resultsOf(rig, `flow_starts.json?uuid=${answered.body.uuid}`);
    expect(start).toMatchObject({ status: "complete", progress: { total: 4, started: 4 } });
    expect(await resultsOf(rig, "runs.json")).toHaveLength(4);

    const again = await rig.post("flow_starts.json", {
      flow: flowUuid(poll),
      ...order,
      contacts: [uuids[3]],
      restart_participants: false,
    });
    rig.service.passTo(2000);
    expect(await resultsOf(rig, `flow_starts.json?id=${again.body.id}`)).toMatchObject([
      { status: "complete", progress: { total: 1, started: 1 } },
    ]);
    expect(await resultsOf(rig, "runs.json?contact=" + uuids[3])).toMatchObject([{ start: { uuid: again.body.uuid } }]);

    const idle = await rig.post("flow_starts.json", { flow: flowUuid(other), groups: ["Staff"], exclude_active: 1 });
    rig.service.passTo(3000);
    expect(await resultsOf(rig, `flow_starts.json?id=${idle.body.id}`)).toMatchObject([
      { status: "complete", exclude_active: true, progress: { total: 0, started: 0 } },
    ]);
  });

  it("of a flow without nodes completes and does nothing", async () => {
    const rig = await startRig();
    const start = await startFlow(rig, empty);
    expect(await resultsOf(rig, `flow_starts.json?id=${start.id}`)).toMatchObject([{ status: "complete" }]);
    expect(await resultsOf(rig, "runs.json")).toEqual([]);
  });

  it("of an archived flow runs; of a flow that cannot run it fails", async () => {
    const rig = await startRig();
    rig.service.account.flows.add({ ...flowOf(poll, "Poll", [{ actions: [say("Hello")] }]), isArchived: true });
    await startFlow(rig, poll);
    expect(await resultsOf(rig, "runs.json")).toMatchObject([{ exit_type: "completed" }]);
    rig.service.account.flows.add(flowOf(poll, "Poll", [{ actions: [say("Hello")] }], { type: "voice" }));
    const start = await startFlow(rig, poll);
    expect(await resultsOf(rig, `flow_starts.json?id=${start.id}`)).toMatchObject([{ status: "failed" }]);
    expect(await resultsOf(rig, "runs.json")).toHaveLength(1);
  });
});

describe("a resthook of a flow", () => {
  it("records its event, posts to the subscribers, and drops one that is gone", async () => {
    const rig = await startRig();
    const { account } = rig.service;
    const hook = account.resthooks.add("stock-low");
    for (const url of ["http://127.0.0.1/a", "http://127.0.0.1/b"]) account.resthooks.subscribe(hook, url);
    const call = { type: "call_resthook", resthook: "stock-low", result_name: "Told" };
    account.flows.add(flowOf(7, "Tell", [{ ask: { result: "Left", cases: [] } }, { actions: [call] }]));
    await startFlow(rig, 7);
    text(rig, "3 nets");
    const [event] = await resultsOf(rig, "resthook_events.json");
    expect(event).toMatchObject({
      resthook: "stock-low",
      data: {
        flow: { uuid: flowUuid(7), name: "Tell" },
        contact: { name: "Amina", urn: `tel:${amina}` },
        channel: { name: "clinic/0" },
        run: { uuid: (await resultsOf(rig, "runs.json"))[0].uuid },
        input: { text: "3 nets", urn: { path: amina, scheme: "tel" } },
        path: [{ node_uuid: nodeUuid(7, 0) }, { node_uuid: nodeUuid(7, 1) }],
        results: { left: { name: "Left", value: "3 nets", category: "Other", node_uuid: nodeUuid(7, 0) } },
      },
    });
    const answer = { durationMs: 1, error: null, headers: null, body: null };
    expect(rig.service.flowCalls.map(({ url }) => url)).toEqual(["http://127.0.0.1/a", "http://127.0.0.1/b"]);
    account.flowCalls.applyAnswer(1, { ...answer, status: 410 });
    account.flowCalls.applyAnswer(2, { ...answer, status: 200 });
    expect(await resultsOf(rig, "resthook_subscribers.json")).toMatchObject([{ target_url: "http://127.0.0.1/b" }]);
    expect(await resultsOf(rig, "runs.json")).toMatchObject([
      { exit_type: "completed", values: { told: { value: "200", category: "Success" } } },
    ]);
  });
});

it("the definition of a flow that runs is exported as it came", async () => {
  const rig = await startRig();
  await startFlow(rig, poll);
  const { body } = await rig.get(`definitions.json?flow=${flowUuid(poll)}`);
  expect(body.flows).toEqual([flows[0]?.definition]);
});
