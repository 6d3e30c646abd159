import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { receiverThat } from "../end-to-end/support.js";
import { ControlRig } from "./control-rig.js";

/** A rig with a flow that asks for a name; the first of the ready people is in it. */
async function withFlow(): Promise<{ rig: ControlRig; flow: string; contact: string }> {
  const rig = await ControlRig.start();
  await rig.done("/account", readFileSync("scenarios/flows/registration.json", "utf8"));
  const { api } = rig.served;
  const flows = (await api.all("flows.json")) as { uuid: string; name: string }[];
  const flow = flows.find(({ name }) => name === "Registration")?.uuid ?? "";
  const [contact] = (await api.all("contacts.json")) as { uuid: string }[];
  await api.done("POST", "flow_starts.json", { flow, contacts: [contact?.uuid] });
  await rig.done("/clock", { step: "5s" });
  return { rig, flow, contact: contact?.uuid ?? "" };
}

describe("flows of the control API", () => {
  it("count the runs at each node, and follow one contact's way", async () => {
    const { rig, flow, contact } = await withFlow();
    const graph = await rig.done(`/flow-graph?flow=${flow}`);
    expect(graph).toMatchObject({ name: "Registration", problem: null, counted_runs: 1, all_runs: 1 });
    const [entry] = graph.definition.nodes as { uuid: string }[];
    const nodes = graph.nodes as { uuid: string; visits: number; waiting: number }[];
    expect(nodes.find(({ uuid }) => uuid === entry?.uuid)).toMatchObject({ visits: 1 });
    expect(nodes.filter(({ waiting }) => waiting === 1)).toHaveLength(1);
    expect((await rig.done(`/flow-graph?flow=${flow}&definition=false`)).definition).toBeNull();

    const runs = (await rig.served.api.all(`runs.json?flow=${flow}`)) as { uuid: string }[];
    const run = await rig.done(`/flow-run?run=${runs[0]?.uuid}`);
    expect(run).toMatchObject({ exit_type: null, contact: { uuid: contact }, flow: { uuid: flow }, answers: [] });
    expect(run.path[0]).toMatchObject({ node: entry?.uuid, exit: expect.any(String) as string });
    expect(run.path.at(-1)).toMatchObject({ exit: null });
  });

  it("that are legacy are shown as they run", async () => {
    const rig = await ControlRig.start();
    await rig.done("/account", readFileSync("scenarios/flows/poll.json", "utf8"));
    const flows = (await rig.served.api.all("flows.json")) as { uuid: string; name: string }[];
    for (const { uuid } of flows) {
      const graph = await rig.done(`/flow-graph?flow=${uuid}`);
      expect(graph.problem).toBeNull();
      expect(graph.definition.spec_version).toMatch(/^1[34]/);
    }
  });

  it("are refused when they do not exist", async () => {
    const rig = await ControlRig.start();
    expect(await rig.get("/flow-graph")).toMatchObject({ status: 400 });
    expect(await rig.get("/flow-graph?flow=nothing")).toMatchObject({ status: 404 });
    expect(await rig.get("/flow-run?run=nothing")).toMatchObject({ status: 404 });
    expect(await rig.get("/campaign-fires?campaign=nothing")).toMatchObject({ status: 404 });
    expect(await rig.get("/resthook-events?behind=999")).toMatchObject({ status: 404 });
  });
});

it("the control API tells when a campaign's events are due, and when they happened", async () => {
  const rig = await ControlRig.start();
  const { api } = rig.served;
  const group = (await api.done("POST", "groups.json", { name: "Mothers to be" })) as { uuid: string };
  await api.done("POST", "fields.json", { label: "Due date", value_type: "datetime" });
  const campaign = (await api.done("POST", "campaigns.json", { name: "Visits", group: group.uuid })) as {
    uuid: string;
  };
  const event = { campaign: campaign.uuid, relative_to: "due_date", offset: 1, unit: "hours", delivery_hour: -1 };
  await api.done("POST", "campaign_events.json", { ...event, message: "Today." });
  const { now } = await rig.done("/clock");
  const contact = (await api.done("POST", "contacts.json", {
    name: "Ada",
    urns: ["tel:+12065550188"],
    groups: [group.uuid],
    fields: { due_date: now as string },
  })) as { uuid: string };
  await rig.done("/clock", { step: "1m" });
  const before = await rig.done(`/campaign-fires?campaign=${campaign.uuid}`);
  expect(before).toMatchObject({
    to_come: { count: 1, results: [{ contact: { name: "Ada" }, fired_on: null }] },
    done: { count: 0 },
  });
  await rig.done("/clock", { step: "2h" });
  const after = await rig.done(`/campaign-fires?contact=${contact.uuid}`);
  expect(after).toMatchObject({
    to_come: { count: 0 },
    done: { count: 1, results: [{ campaign: { name: "Visits" }, fired_on: before.to_come.results[0].due_on }] },
  });
});

it("the control API shows the deliveries of resthooks", async () => {
  const rig = await ControlRig.start();
  const receiver = await receiverThat((_body, response) => {
    response.statusCode = 500;
    response.end();
  });
  await rig.served.api.done("POST", "resthook_subscribers.json", { resthook: "stock-low", target_url: receiver.url });
  await rig.done("/resthooks", { resthook: "stock-low", data: { left: 3 } });
  await rig.done("/clock", { paused: false });
  await expect
    .poll(async () => (await rig.done("/resthook-events")).results[0])
    .toMatchObject({
      resthook: "stock-low",
      data: { left: 3 },
      attempts: expect.arrayContaining([
        expect.objectContaining({ url: receiver.url, try: 1, status: 500, outcome: "retried" }),
      ]) as unknown[],
      pending: expect.arrayContaining([expect.objectContaining({ url: receiver.url, try: 2 })]) as unknown[],
    });
});
