import type { LossEntry } from "../../console/index.js";
import type { StoredLoss } from "../../store/index.js";
import { formatTimestampZoned, type LossCause, lossCauses } from "../../wire/index.js";
import { pageOf, pageParameters } from "./phone-schemas.js";
import { type ControlRequest, type ControlRoute, readRoute } from "./route.js";

/** The list of lost texts and calls. */
export const lossRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/losses",
    about: "Lost texts and calls, newest first, each with its cause; `counts` has all causes.",
    parameters: {
      of: { type: "string", description: "One handset: `clinic/0`" },
      person: { type: "string", description: "One person: a selector or a number" },
      cause: { type: "string", description: "One cause" },
      ...pageParameters,
    },
    serve(request) {
      const { control, query } = request;
      const { limit, behind } = pageOf(query);
      const { of, person, cause } = filterOf(request);
      const rows = control.served.conversations.losses.page(
        { channel: of, phone: person, cause },
        { behindRow: behind === undefined ? undefined : Number(behind) || 0, size: limit },
      );
      return {
        results: rows.map((row) => lossOf(request, row)),
        next: rows.length === limit ? String(rows.at(-1)?.row) : null,
        counts: control.served.conversations.losses.counts().map((one) => ({ ...one, why: lossCauses[one.cause] })),
      };
    },
  }),
];

function filterOf({ control, query }: ControlRequest): {
  readonly of: number | undefined;
  readonly person: string | undefined;
  readonly cause: LossCause | undefined;
} {
  const [of, person, cause] = ["of", "person", "cause"].map((name) => query.get(name) ?? "");
  return {
    of: of === "" ? undefined : [...control.names.channelsOf(of ?? "")][0],
    person: person === "" ? undefined : [...control.names.phonesOf(person ?? "")][0],
    cause: cause === "" ? undefined : (cause as LossCause),
  };
}

function lossOf({ control }: ControlRequest, { atMs, cause, channel, phone, text, message }: StoredLoss): LossEntry {
  return {
    at: formatTimestampZoned(control.startsAtMs + atMs),
    at_ms: atMs,
    cause,
    why: lossCauses[cause],
    handset: control.names.handset(channel),
    person: control.names.person(phone),
    text,
    message,
  };
}
