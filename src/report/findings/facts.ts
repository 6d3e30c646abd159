import type { Meter } from "../../measure/index.js";
import type { ReceiverBehaviour } from "../receiver-behaviour.js";
import type { FindingFacts, TypeFacts } from "./finding.js";

/** Collects the input of `findingsOf` from the measures of a run. */
export function factsOf(
  meter: Meter,
  { doubles, order, repeats }: ReceiverBehaviour,
  {
    model,
    fellBehind,
    roundTrips,
    receiverSteps,
  }: Pick<FindingFacts, "model" | "fellBehind" | "roundTrips" | "receiverSteps">,
): FindingFacts {
  const { timeline } = meter;
  const { attempts, lateness, delivery } = meter.total();
  return {
    model,
    series: timeline.series(),
    beginsMs: timeline.beginsMs,
    failures: timeline.failures(),
    types: meter.types.map((type) => typeFacts(meter, type)),
    attempts,
    receiverSteps,
    fellBehind,
    latenessP99Ms: model === "open" ? lateness.percentile(99) : null,
    deliveryP99Ms: delivery.percentile(99),
    roundTrips,
    doubles: doubles.count,
    order: { retried: order.retried, raced: order.raced },
    repeats: { resent: repeats.resent, resumed: repeats.resumed },
  };
}

function typeFacts(meter: Meter, type: string): TypeFacts {
  const { attempts, statuses, outcomes } = meter.total({ type });
  const answered = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const accepting = [...statuses].filter(([status]) => status < 300);
  const [status] = [...statuses].filter(([one]) => one >= 300).toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return {
    type,
    attempts,
    refused: answered - outcomes.accepted,
    status: status ?? accepting[0]?.[0],
  };
}
