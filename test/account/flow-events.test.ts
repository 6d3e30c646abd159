import { expect, it } from "vitest";
import type { Service } from "../gateway/service.js";
import { phone, serviceWith, text } from "./conversation.js";
import { flowOf, say } from "./flow-builder.js";

const call = { type: "call_webhook", method: "GET", url: "http://127.0.0.1/" };

/** A service of an organisation that hides addresses. */
function anonymousWith(flow: ReturnType<typeof flowOf>): Service {
  const service = serviceWith(flow);
  service.account.organisation.set({ isAnonymous: true });
  return service;
}

/** Answers the call that a flow has made last. */
function answer(service: Service, body = "{}"): void {
  service.account.flowCalls.applyAnswer(service.flowCalls.at(-1)?.id ?? 0, {
    durationMs: 1,
    status: 200,
    error: null,
    headers: null,
    body: new TextEncoder().encode(body),
  });
}

/** `values` of the last flow event. */
function valuesOf(service: Service): Record<string, string>[] {
  return JSON.parse(service.events.findLast(({ event }) => event === "flow")?.["values"] ?? "[]") as Record<
    string,
    string
  >[];
}

it("lists the rule sets that a contact has passed, and no results of other actions", () => {
  const service = serviceWith(
    flowOf(1, "Order", [
      { actions: [{ type: "set_run_result", name: "Source", value: "text", category: "Set" }, say("Which order?")] },
      { ask: { result: "Order", cases: [["has_number", [], "Number"]] } },
      // A call beside other actions is no rule set; one by whose outcome the node splits is.
      { actions: [{ ...call, result_name: "Ping" }] },
      {
        actions: [{ ...call, result_name: "Status" }],
        split: {
          operand: "@results.status.category",
          cases: [["has_only_text", ["Success"], "Success"]],
          other: "Failure",
        },
      },
      { split: { operand: "@results.order", cases: [["has_number_gt", ["9"], "New"]], other: "Old", result: "Age" } },
      { actions: [{ ...call, result_name: "Last" }] },
    ]),
  );
  text(service, "join");
  text(service, "order 12");
  answer(service);
  answer(service);
  expect(valuesOf(service).map(({ label, category, value, text: said }) => [label, category, value, said])).toEqual([
    ["Order", "Number", "12", "order 12"],
    ["Status", "Success", "200", "order 12"],
    ["Age", "New", "12", "order 12"],
  ]);
});

it("has the newest 100 answers, each text at most 640 characters long", () => {
  const long = "w".repeat(700);
  const service = serviceWith(
    flowOf(1, long, [
      {
        name: "ask",
        ask: { result: long, cases: [["has_phrase", ["end"], "End"]] },
        to: { Other: "ask" },
      },
      { actions: [call] },
    ]),
  );
  text(service, "join");
  for (let round = 1; round <= 150; round++) text(service, `${round} ${long}`);
  text(service, "end");
  const values = valuesOf(service);
  expect(values).toHaveLength(100);
  expect(values.at(-1)).toMatchObject({ category: "End", text: "end", label: long.slice(0, 640) });
  expect(values[0]?.["text"]).toBe(`52 ${long}`.slice(0, 640));
  expect(service.events.at(-1)?.["flow_name"]).toBe(long.slice(0, 640));
});

it("hides addresses from the templates of an anonymous organisation's flows, and still reaches people", () => {
  const template =
    "@contact @contact.urn @contact.urns @urns.tel @input.urn @(format_urn(input.urn)) @run.contact @run";
  const service = anonymousWith(
    flowOf(1, "Hidden", [
      { actions: [say(template), { ...call, method: "POST", body: "@(json(contact.urns)) @contact.urn @input.urn" }] },
    ]),
  );
  text(service, "join");
  const [sent] = service.messages.filter(({ direction }) => direction === "O");
  expect(sent?.text).toBe("1 tel:******** [tel:********] tel:******** tel:******** ******** 1 1@Hidden");
  expect(service.flowCalls[0]?.body).toBe('["tel:********"] tel:******** tel:********');
  expect(sent).toMatchObject({ phone });
});

it("hides addresses of the run that has started the session", () => {
  const service = anonymousWith(
    flowOf(1, "First", [
      {
        actions: [
          {
            type: "start_session",
            flow: { uuid: flowOf(2, "", []).uuid, name: "Second" },
            urns: ["tel:+250781000002"],
          },
        ],
      },
    ]),
  );
  service.account.flows.add(
    flowOf(2, "Second", [{ actions: [say("@parent.contact @parent.urns.tel @parent.contact.urn @contact @parent")] }]),
  );
  text(service, "join");
  service.passTo(1000);
  const texts = service.messages.filter(({ direction }) => direction === "O").map((message) => message.text);
  expect(texts).toEqual(["1 tel:******** tel:******** 2 1@First"]);
});
