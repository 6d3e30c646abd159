import { describe, expect, it } from "vitest";
import { loadAccount } from "../../src/account/index.js";
import { Service } from "../gateway/service.js";
import { flowOf, say } from "./flow-builder.js";

const phone = "+250781000001";

/** Starts flow 1 for one contact, and returns the texts that it sends. */
function textsOf(service: Service, embeddedData: unknown = null): string[] {
  const { account } = service;
  const { row } = account.contacts.withUrn(`tel:${phone}`);
  account.flowStarts.add({
    flow: 1,
    groups: [],
    contacts: [row],
    restartsParticipants: true,
    excludesActive: false,
    extra: { round: 2 },
    embeddedData,
  });
  service.passTo(service.kernel.now);
  const texts = service.messages.map(({ text }) => text);
  service.messages.length = 0;
  return texts;
}

describe("templates of a flow read", () => {
  it("the embedded data of the start, in its sub-flows too; without it '@embed' is text", () => {
    const service = new Service();
    const ask = "@embed.clinic.name, @Embed.Round + @trigger.params.round = @(embed.round + 2)";
    const enter = { type: "enter_flow", flow: { uuid: flowOf(2, "Inner", []).uuid, name: "Inner" } };
    service.account.flows.add(flowOf(1, "Outer", [{ actions: [say(ask), enter] }]));
    service.account.flows.add(flowOf(2, "Inner", [{ actions: [say("in @embed.clinic.name")] }]));
    const embedded = { clinic: { name: "Likoni" }, round: 3 };
    expect(textsOf(service, embedded)).toEqual(["Likoni, 3 + 2 = 5", "in Likoni"]);
    expect(textsOf(service)).toEqual(["@embed.clinic.name, @Embed.Round + 2 = ", "in @embed.clinic.name"]);
  });

  it("the embedded data in legacy flows", () => {
    const service = new Service();
    const { definition: _, ...flow } = flowOf(1, "Legacy", []);
    service.account.flows.add({
      ...flow,
      definition: {
        base_language: "eng",
        version: "10",
        flow_type: "F",
        entry: "a",
        action_sets: [
          {
            uuid: "a",
            x: 0,
            y: 0,
            exit_uuid: "b",
            actions: [{ type: "reply", msg: { eng: "@embed.clinic, @(UPPER(embed.clinic))" } }],
          },
        ],
        rule_sets: [],
        metadata: { uuid: flow.uuid, name: flow.name },
      },
    });
    expect(textsOf(service, { clinic: "Likoni" })).toEqual(["Likoni, LIKONI"]);
  });

  it("the globals of the account; a second file adds to them", () => {
    const service = new Service();
    const { account, recording } = service;
    account.flows.add(flowOf(1, "Help", [{ actions: [say("Call @globals.hotline or @globals.office")] }]));
    const nothing = { tokens: [], fields: [], groups: [], labels: [], contacts: [], flows: [], campaigns: [] };
    const empty = { ...nothing, triggers: [], resthooks: [], boundaries: [], runs: [], orders: [] };
    loadAccount(account, recording.tables, { ...empty, globals: { hotline: "112", office: "3" } });
    loadAccount(account, recording.tables, { ...empty, globals: { office: "4" } });
    expect(textsOf(service)).toEqual(["Call 112 or 4"]);
    expect(textsOf(new Service({}, { recording }))).toEqual(["Call 112 or 4"]);
  });
});

it("set_contact_timezone is kept, and decides what time it is", () => {
  const service = new Service();
  const zone = { type: "set_contact_timezone", timezone: "Asia/Tokyo" };
  const here = say('@contact.timezone @(format_datetime(now(), "tt:mm"))');
  service.account.flows.add(flowOf(1, "Move", [{ actions: [here, zone] }]));
  expect(textsOf(service)).toEqual([" 06:00"]);
  expect(service.contacts).toMatchObject([{ timezone: "Asia/Tokyo", modifiedAtMs: service.kernel.now }]);
  const after = new Service({}, { recording: service.recording });
  expect(textsOf(after)).toEqual(["Asia/Tokyo 15:00"]);
});
