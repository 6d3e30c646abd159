import { describe, expect, it } from "vitest";
import type { FlowStartRow } from "../../src/account/index.js";
import { Recording } from "../../src/store/index.js";
import { Service } from "../gateway/service.js";
import { heard, phone, serviceWith, text } from "./conversation.js";
import { flowOf, say } from "./flow-builder.js";

const any: readonly [string, readonly string[], string] = ["has_text", [], "All"];
const call = { type: "call_webhook", method: "GET", url: "http://127.0.0.1/state", headers: {}, result_name: "State" };
const answer = { durationMs: 0, status: 200, error: null, headers: null, body: null };

describe("texts that come while a call is out", () => {
  const questions = flowOf(1, "Questions", [
    { actions: [call] },
    { actions: [say("Name?")] },
    { ask: { result: "Name", cases: [any] } },
    { actions: [say("Town?")] },
    { ask: { result: "Town", cases: [any] } },
    { actions: [say("@results.name of @results.town")] },
  ]);

  it("answer the questions that follow, each one question, oldest first", () => {
    const service = serviceWith(questions);
    text(service, "join");
    text(service, "Ada");
    text(service, "Huye");
    expect(heard(service)).toEqual([]);
    service.account.flowCalls.applyAnswer(1, answer);
    expect(heard(service)).toEqual(["Name?", "Town?", "Ada of Huye"]);
    expect(service.recording.tables.flowSessions.all()).toEqual([]);
  });
});

describe("a flow that an import replaces", () => {
  it("fails the sessions whose node is gone, also those with a call", () => {
    const before = flowOf(1, "Ask", [{ actions: [say("Name?")] }, { ask: { result: "Name", cases: [any] } }]);
    const service = serviceWith(before);
    text(service, "join");
    service.account.flows.add(flowOf(1, "Ask", [{ actions: [say("New")] }]));
    text(service, "Ada");
    expect(service.recording.tables.runs.get(1)?.exit).toBe("failed");
    const calls = serviceWith(flowOf(1, "Call", [{ actions: [say("x")] }, { actions: [call] }]));
    text(calls, "join");
    calls.account.flows.add(flowOf(1, "Call", [{ actions: [say("New")] }]));
    calls.account.flowCalls.applyAnswer(1, answer);
    expect(calls.recording.tables.runs.get(1)?.exit).toBe("failed");
  });
});

describe("a flow start", () => {
  const order = { groups: [], restartsParticipants: true, excludesActive: false, extra: null, embeddedData: null };
  const ask = flowOf(1, "Ask", [{ actions: [say("Name?")] }, { ask: { result: "Name", cases: [any] } }]);

  /** Contacts with phones. */
  function people(service: Service, count: number): number[] {
    return Array.from(
      { length: count },
      (_, index) => service.account.contacts.withPhone(`+2507820${1000 + index}`).row,
    );
  }

  it("counts each contact once when the service continues it", () => {
    const before = serviceWith(ask);
    before.account.flowStarts.add({ ...order, flow: 1, contacts: people(before, 250) });
    before.passTo(20);
    const after = new Service({}, { recording: before.recording });
    after.passTo(1000);
    const start = after.recording.tables.flowStarts.get(1) as FlowStartRow;
    expect(start).toMatchObject({ status: "complete", total: 250 });
    expect(after.recording.tables.runs.countsOf([1]).get(1)).toMatchObject({ active: 250, interrupted: 0 });
  });

  it("leaves out whom another start of the same instant has started", () => {
    const service = serviceWith(ask);
    const contacts = people(service, 250);
    const once = { ...order, flow: 1, contacts, restartsParticipants: false };
    service.account.flowStarts.add(once);
    service.account.flowStarts.add(once);
    service.passTo(1000);
    expect(service.recording.tables.runs.countsOf([1]).get(1)).toMatchObject({ active: 250, interrupted: 0 });
  });
});

it("a session gets other UUIDs than those that ended before the service was opened again", () => {
  const hello = flowOf(1, "Hello", [{ actions: [say("Hello")] }]);
  const before = serviceWith(hello);
  const { row } = before.account.contacts.withPhone(phone);
  const start = (service: Service): void => {
    const contact = service.recording.tables.contacts.get(row);
    const flow = service.recording.tables.flows.get(1);
    if (contact === undefined || flow === undefined) throw new Error("no contact or flow");
    service.account.flowSessions.start(contact, flow, { cause: { type: "manual" } });
  };
  start(before);
  const after = new Service({}, { recording: Recording.copyOf(before.recording.snapshot()) });
  start(after);
  const { runs } = after.recording.tables;
  expect(runs.get(2)).toMatchObject({ exit: "completed" });
  expect(runs.get(2)?.uuid).not.toBe(runs.get(1)?.uuid);
});
