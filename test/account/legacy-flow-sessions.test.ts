import { expect, it } from "vitest";
import { accountOfDefinitions } from "../../src/account/index.js";
import { Service } from "../gateway/service.js";
import { heard, startByJoin, text } from "./conversation.js";
import { flowOf, say } from "./flow-builder.js";

const set = (uuid: string, ...actions: readonly object[]): object => ({
  uuid,
  x: 0,
  y: 0,
  destination: null,
  actions,
});

const old = (id: number, name: string, ...actions: readonly object[]): object => ({
  base_language: "eng",
  flow_type: "F",
  entry: `set-${id}`,
  metadata: { id, name, expires: 60 },
  action_sets: [set(`set-${id}`, ...actions)],
  rule_sets: [],
});

it("runs flows of version 7: filters in templates, and numbers that identify groups and flows", () => {
  const { account: data } = accountOfDefinitions({
    version: 7,
    flows: [
      old(
        31,
        "Welcome",
        { type: "reply", msg: { eng: "Hello @contact.name|upper_case" } },
        { type: "add_group", groups: [{ id: 5, name: "Staff" }] },
        { type: "flow", id: 32, name: "Rules" },
      ),
      old(32, "Rules", { type: "reply", msg: { eng: "Your number is =contact.tel_e164" } }),
    ],
  });
  const service = new Service();
  const { account } = service;
  const [staff] = data.groups.map((group) => account.groups.add(group));
  const [flow] = data.flows.map((one) => account.flows.add(one));
  startByJoin(service, flow?.id ?? 0);
  text(service, "join");
  expect(heard(service)).toEqual(["Hello ", "Your number is +250781000001"]);
  expect(service.recording.tables.groups.membersOf(staff?.id ?? 0)).toHaveLength(1);
});

it("does not run a flow of version 7 that enters one without its number, instead of any other flow", () => {
  const { account: data } = accountOfDefinitions({
    version: 7,
    flows: [old(31, "Welcome", { type: "flow", name: "Rules" })],
  });
  const service = new Service();
  const { account } = service;
  account.flows.add(flowOf(1, "Another", [{ actions: [say("Another")] }]));
  const [flow] = data.flows.map((one) => account.flows.add(one));
  startByJoin(service, flow?.id ?? 0);
  text(service, "join");
  expect(heard(service)).toEqual([]);
  expect(service.notes.map((note) => note.text)).toEqual([
    expect.stringMatching(/^flow 'Welcome' cannot run: .*, flow: uuid is missing$/),
  ]);
});
