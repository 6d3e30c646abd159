import { schema } from "../../api/index.js";
import type { StoredLoss } from "../../store/index.js";
import { formatTimestampZoned, type LossCause, lossCauses } from "../../wire/index.js";
import { personSchema } from "./log-entry.js";
import { pageOf, pageParameters } from "./phone-schemas.js";
import { type ControlRequest, type ControlRoute, readRoute } from "./route.js";

const { integer, nullable, objectOf, text, timestamp } = schema;

const loss = objectOf({
  at: { ...timestamp, description: "When it was lost" },
  at_ms: integer,
  cause: { ...text, description: "A cause of the ledger: carrier, paused, reset, unreachable…" },
  why: text,
  handset: text,
  person: personSchema,
  text: { ...nullable(text), description: "null: a call" },
  message: { ...nullable(integer), description: "Number of the service's message; null: a person's text, or a call" },
});

/** The list of lost texts and calls. */
export const lossRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/losses",
    about: "Texts and calls that were lost, newest first, each with its cause; `counts` has all causes.",
    parameters: {
      of: { type: "string", description: "One handset: `clinic/0`" },
      person: { type: "string", description: "One person: a selector or a number" },
      cause: { type: "string", description: "One cause" },
      ...pageParameters,
    },
    answer: objectOf({
      results: schema.arrayOf(loss),
      next: nullable(text),
      counts: schema.arrayOf(objectOf({ cause: text, why: text, count: integer })),
    }),
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

function lossOf(
  { control }: ControlRequest,
  { atMs, cause, channel, phone, text: words, message }: StoredLoss,
): object {
  return {
    at: formatTimestampZoned(control.startsAtMs + atMs),
    at_ms: atMs,
    cause,
    why: lossCauses[cause],
    handset: control.names.handset(channel),
    person: control.names.person(phone),
    text: words,
    message,
  };
}
