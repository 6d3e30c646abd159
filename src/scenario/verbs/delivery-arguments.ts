import * as z from "zod";
import { type Distribution, fixed } from "../../sim/index.js";
import { cutPlaces, eventTypes, type TroubleKind } from "../../wire/index.js";
import { count, distinctWords, formShape, peopleChoice, selection, share, word } from "../fields/fields.js";
import { ranged, spelled, whole } from "../fields/spelling.js";
import { readDistribution } from "../fields/values/distribution.js";
import { readCount } from "../fields/values/number.js";
import { scalar } from "../fields/values/scalar.js";
import { readShare } from "../fields/values/share.js";
import { span } from "../fields/varying-fields.js";
import type { DeliveryInput, TroubleSpec } from "../scenario.js";
import { type Field, field } from "../sheet/field.js";
import { describeValue, type Problem, type Read } from "../sheet/raw-value.js";

/** Most events that may have to overtake one, and most requests of one event at once. */
const OVERTAKERS_MAX = 100;
const COPIES_MAX = 20;

/** Bounds of the rate of a slow request, in bytes a second: a slower one would take minutes. */
const slowest = 10;
const fastest = 10_000_000;

/** A share of attempts, or `true` for all of them and `false` for none. */
function shareOrFlag(about: string): Field<number, string | boolean> {
  const shape = z.union([formShape(whole(spelled.percent), "10%"), z.literal([true, false, "true", "false"])]);
  const read: Read<number> = (value, report) => {
    if (value === "true") return 1;
    if (value === "false") return 0;
    return readShare()(value, report);
  };
  return field(shape, read, about);
}

/** A whole number, or a range of them. */
function counts(
  about: string,
  bounds: { readonly min: number; readonly max: number },
): Field<Distribution<number>, string | number> {
  const shape = z.union([z.int().min(bounds.min).max(bounds.max), formShape(ranged("[0-9]+"), `${bounds.min}..5`)]);
  return field(shape, readDistribution({ read: readCount(bounds), of: "number", noun: "a whole number" }), about);
}

/** Bytes in a second: `100B/s`, `2kB/s`. */
function byteRate(about: string): Field<Distribution<number>, string> {
  const read: Read<Distribution<number>> = scalar("a rate such as 100B/s", (text, report) => {
    const [, number, kilo] = /^(\d+(?:\.\d+)?)\s*(k?)B\/s$/i.exec(text) ?? [];
    if (number === undefined) {
      const message = `must be a rate such as 100B/s, got ${describeValue(text)}`;
      report({ code: "bad-value", message, hint: "write 100B/s or 2kB/s" });
      return undefined;
    }
    const bytes = Number(number) * (kilo === "" ? 1 : 1000);
    if (bytes >= slowest && bytes <= fastest) return fixed(bytes);
    report({ code: "out-of-range", message: `must be ${slowest}B/s to ${fastest}B/s, got ${text}` });
    return undefined;
  });
  return field(formShape(String.raw`^[0-9]+(\.[0-9]+)? *[kK]?[bB]/s$`, "100B/s", "2kB/s"), read, about);
}

/** The arguments that say what happens to requests. */
export const troubleFields = {
  "answers-lost": shareOrFlag(
    "The receiver gets the request, and its answer never reaches the service, which retries after its timeout.",
  ).optional(),
  "requests-lost": shareOrFlag("The request never reaches the receiver: a timeout.").optional(),
  refused: shareOrFlag("The connection is refused on the way.").optional(),
  delay: span("The request leaves this much later.").optional(),
  "overtaken-by": counts("This number of later events of the channel leave first, and are answered.", {
    min: 1,
    max: OVERTAKERS_MAX,
  }).optional(),
  copies: counts("The request is sent this number of times in parallel, on other connections.", {
    min: 2,
    max: COPIES_MAX,
  }).optional(),
  cut: word(
    cutPlaces,
    "The connection closes in the headers of the request, in its body, or at the first byte of the answer.",
  ).optional(),
  slow: byteRate("The bytes of the request arrive at this rate, in wall time.").optional(),
};

/** The arguments that say which requests. */
export const scopeFields = {
  types: distinctWords(eventTypes, "The types of the events; default: all.", {
    noun: "an event type",
    code: "unknown-event",
    hintEmpty: "leave the key out for all",
  }).optional(),
  person: peopleChoice("The people whom the events are about; default: all events.").optional(),
  share: share("The share of the requests, where the trouble does not say one itself; default: all.").optional(),
  times: count("How many requests, the next ones: then it ends.", { min: 1, max: 1_000_000 }).optional(),
};

/** The argument `of` of troubles. */
export const ofDelivery = selection("The handsets whose events; default: all.").prefault("all");

/** The names of the troubles, as arguments. */
export const troubleArguments = Object.keys(troubleFields) as readonly TroubleKind[];

/** The troubles of parsed arguments, and problems of the combination. */
export function troublesOf(
  args: { readonly [Kind in TroubleKind]?: unknown } & Pick<DeliveryInput, "times"> & {
      readonly share?: number | undefined;
    },
  reportProblem: (path: readonly string[], problem: Problem) => void,
): TroubleSpec[] {
  return troubleArguments.flatMap((kind): TroubleSpec[] => {
    const value = args[kind];
    if (value === undefined) return [];
    const share = args.share ?? 1;
    switch (kind) {
      case "answers-lost":
      case "requests-lost":
      case "refused": {
        const own = value as number;
        if (args.share !== undefined && own !== 1) {
          const message = `'${kind}' and 'share' both say a share`;
          reportProblem(["share"], {
            code: "not-together",
            message,
            on: "key",
            hint: `write ${kind}: true, or leave 'share' out`,
          });
        }
        return [{ kind, share: own * share }];
      }
      case "cut":
        return [{ kind, share, place: value as (typeof cutPlaces)[number] }];
      case "delay":
      case "overtaken-by":
      case "copies":
      case "slow":
        return [{ kind, share, amount: value as Distribution<number> }];
      default:
        return kind satisfies never;
    }
  });
}
