import { Service, startsAtMs } from "../gateway/service.js";
import type { flowOf } from "./flow-builder.js";

/** The person who texts. */
export const phone = "+250781000001";

/** A service with flows, the first of which starts by the keyword "join". */
export function serviceWith(...flows: ReturnType<typeof flowOf>[]): Service {
  const service = new Service();
  for (const flow of flows) service.account.flows.add(flow);
  startByJoin(service, 1);
  return service;
}

/** Makes the keyword "join" start a flow. */
export function startByJoin(service: Service, flow: number): void {
  service.account.triggers.add({
    type: "K",
    keyword: "join",
    matchType: "F",
    flow,
    channel: null,
    groups: [],
    excludeGroups: [],
  });
}

/** A person texts the first phone now. */
export function text(service: Service, words: string, from: string = phone): void {
  service.sync(1, [{ type: "mo_sms", phone: from, text: words, timeMs: startsAtMs + service.kernel.now }]);
}

/** The texts that the service has queued since the last call. */
export function heard(service: Service): string[] {
  const texts = service.messages.filter(({ direction }) => direction === "O").map((message) => message.text);
  service.messages.length = 0;
  return texts;
}
