import { type HostPressure, type Meter, seriesPressure, trendOf } from "../../measure/index.js";
import type { ReceiverBehaviour } from "../receiver-behaviour.js";
import type { FindingFacts, TypeFacts } from "./finding.js";
import { hostMeasures } from "./host-measures.js";

/** Collects the input of `findingsOf` from the measures of a run. */
export function factsOf(
  meter: Meter,
  { doubles, order, repeats, replies, outages, troubles }: ReceiverBehaviour,
  {
    model,
    host,
    fellBehind,
    roundTrips,
    receiverSteps,
    commandEnd,
    specialOf,
    commonOf,
    late,
    isPlaying,
  }: Pick<
    FindingFacts,
    | "model"
    | "fellBehind"
    | "roundTrips"
    | "receiverSteps"
    | "commandEnd"
    | "specialOf"
    | "commonOf"
    | "late"
    | "isPlaying"
  > & { readonly host: HostPressure },
): FindingFacts {
  const { timeline } = meter;
  const { attempts, events, lateness, delivery } = meter.total();
  const series = timeline.series();
  const isWall = timeline.kind === "wall";
  const pressure = seriesPressure(series, host, { isWall });
  return {
    model,
    series,
    beginsMs: timeline.beginsMs,
    host: hostMeasures(host, { series, beginsMs: isWall ? timeline.beginsMs : undefined, ...pressure }),
    pressure,
    trend: trendOf(series, { model, pressure }),
    failures: timeline.failures(),
    types: meter.types.map((type) => typeFacts(meter, type)),
    attempts,
    receiverSteps,
    fellBehind,
    latenessP99Ms: model === "open" ? lateness.percentile(99) : null,
    deliveryP99Ms: delivery.percentile(99),
    roundTrips,
    doubles: doubles.count,
    replies: { valid: replies.valid, ignored: replies.ignored },
    outages: outages.list(commandEnd?.receiver),
    answers: outages.answers(),
    breaking: outages.breakingEvents(),
    commandEnd,
    specialOf,
    commonOf,
    late,
    events,
    isPlaying,
    order: { retried: order.retried, raced: order.raced, troubled: order.troubled },
    repeats: { resent: repeats.resent, resentByTrouble: repeats.resentByTrouble, resumed: repeats.resumed },
    troubles: { copies: troubles.copies, lost: troubles.lost },
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
