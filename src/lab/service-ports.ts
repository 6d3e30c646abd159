import type { Account, AccountPorts } from "../account/index.js";
import type { ServiceAnswer, ServiceRequests } from "../delivery/index.js";
import type { Scenario } from "../scenario/index.js";

/** Wall milliseconds in which a flow's call must be answered (docs/reference/flows.md#call_webhook). */
const FLOW_CALL_TIMEOUT_MS = 10_000;

/** What connects an account with the requests that it makes. */
export interface ServicePortsOptions {
  readonly scenario: Scenario;
  /** Read when a request is made or answered: both are made after the ports. */
  readonly account: () => Account;
  readonly requests: () => ServiceRequests;
}

/** The ports by which the account makes HTTP requests: resthooks and flow calls. */
export function servicePorts({
  scenario,
  account,
  requests,
}: ServicePortsOptions): Required<Pick<AccountPorts, "resthook" | "call">> {
  return {
    resthook(delivery) {
      const { event, subscriber, try: tryNumber, atMs, url, data } = delivery;
      const request = {
        name: `resthook/${event}/${subscriber}/${tryNumber}`,
        atMs,
        method: "POST",
        url,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(data),
        timeoutMs: scenario.service.timeoutMs,
      };
      requests().postRequest(request, (answer) => account().resthooks.applyAnswer(delivery, answerOf(answer)));
    },
    call(order) {
      const { id, ...request } = order;
      requests().postRequest({ ...request, name: `flow-call/${id}`, timeoutMs: FLOW_CALL_TIMEOUT_MS }, (answer) =>
        account().flowCalls.applyAnswer(id, answerOf(answer)),
      );
    },
  };
}

function answerOf({ durationMs, status, error, headers, body }: ServiceAnswer): ServiceAnswer {
  return { durationMs, status, error, headers, body };
}
