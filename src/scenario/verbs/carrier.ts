import * as z from "zod";
import { longTextForms, partsOrders } from "../../world/index.js";
import { capacity, count, expiry, flag, formShape, selection, share, word } from "../fields/fields.js";
import { spelled, whole } from "../fields/spelling.js";
import { readShare } from "../fields/values/share.js";
import { readWord } from "../fields/values/word.js";
import { span } from "../fields/varying-fields.js";
import { field, type Field, keyed } from "../sheet/field.js";
import { nearest } from "../sheet/nearest.js";
import { describeValue, keyConflict, type Read } from "../sheet/raw-value.js";
import type { StoryInput } from "../scenario.js";
import { forTime, type StepContext, toWorld, verb } from "./verb.js";

const ways = ["texts", "messages"] as const;
type Way = (typeof ways)[number];

/** `texts` or `messages`: the next ones of some handsets. A share: of all texts of a carrier. */
function waysOrShare(about: string): Field<Way | number, string> {
  const read: Read<Way | number> = (value, report) =>
    typeof value === "string" && /^[a-z]+$/i.test(value)
      ? readWord(ways, { noun: "texts, messages or a share such as 4%" })(value, report)
      : readShare()(value, report);
  return field(z.union([z.literal(ways), formShape(whole(spelled.percent), "4%")]), read, about);
}

const args = keyed({
  of: selection("A carrier, to change it; or handsets, for the next texts to them or messages from them."),
  loses: waysOrShare(
    "A share: of all texts of the carrier. texts, messages: the next ones of the handsets.",
  ).optional(),
  duplicates: waysOrShare("What arrives twice: a share, or the next texts or messages.").optional(),
  times: count("How many of the next texts or messages.", { min: 1, max: 1_000_000 }).optional(),
  delay: span("How long a text takes from sender to phone.").optional(),
  refuses: share("The share of segments from the phones that the network refuses.").optional(),
  "reports-delivery": share("The share of delivered texts for which delivery is reported.").optional(),
  "reports-after": span("How long after delivery the report comes.").optional(),
  "reports-early": share("The share of messages that are reported as delivered at once, delivered or not.").optional(),
  "reports-parts": flag("Whether delivery is reported for each part of a long text.").optional(),
  expires: expiry("A text that has waited so long, for a phone or for its turn, is dropped.").optional(),
  carries: capacity("How many texts it carries; those beyond it queue.").optional(),
  "long-texts": word(longTextForms, "How a long text reaches a handset.").optional(),
  "parts-order": word(partsOrders, "The order in which people get the parts of a long text.").optional(),
  for: forTime,
}).meta({ minProperties: 2 });

type CarrierArgs = z.output<typeof args>;

/** The keys that only a change of a carrier has. It may also have `loses` and `duplicates`. */
const settings = [
  "delay",
  "refuses",
  "reports-delivery",
  "reports-after",
  "reports-early",
  "reports-parts",
  "expires",
  "carries",
  "long-texts",
  "parts-order",
] as const;

/** The verb `carrier`: a carrier changes, or loses or duplicates the next texts of handsets. */
export const carrier = verb({
  name: "carrier",
  about: "A carrier changes, for a time or for good; or it loses or duplicates the next texts of some phones.",
  example: "{ at: 20m, carrier: { of: clinic/3, loses: texts, times: 2 } }",
  args,
  toInput: (given, step) => (isChange(given, step) ? change(given, step) : nextFate(given, step)),
});

/** Whether the step changes a carrier; else it is about the next texts of handsets. */
function isChange(given: CarrierArgs, step: StepContext): boolean {
  const hasSettings = settings.some((key) => given[key] !== undefined);
  const hasShare = [given.loses, given.duplicates].some((one) => typeof one === "number");
  return (
    hasSettings ||
    hasShare ||
    (step.kindOf(given.of) === undefined && given.of.parts.some(({ group }) => step.carriers.includes(group)))
  );
}

function change(given: CarrierArgs, step: StepContext): StoryInput {
  const { of, loses, duplicates, times } = given;
  if (!step.carriers.includes(of.text)) {
    const close = nearest(of.text, step.carriers);
    step.reportProblem(["of"], {
      code: "unknown-carrier",
      message: `must be a carrier, got ${describeValue(of.text)}: shares and times are those of a whole carrier`,
      hint: close === undefined ? `the carriers are ${step.carriers.join(", ")}` : `did you mean '${close}'?`,
    });
  }
  for (const [key, value] of [
    ["loses", loses],
    ["duplicates", duplicates],
  ] as const) {
    if (typeof value !== "string") continue;
    step.reportProblem([key], keyConflict(`'${value}' are those of handsets`, "write a share such as 4%"));
  }
  if (times !== undefined) {
    step.reportProblem(["times"], keyConflict("'times' counts the next texts of handsets", "leave it out"));
  }
  if (settings.every((key) => given[key] === undefined) && loses === undefined && duplicates === undefined) {
    step.reportProblem([], {
      code: "missing-key",
      message: "needs what changes, such as 'delay' or 'loses'",
      on: "key",
    });
  }
  return toWorld({
    verb: "carrier-settings",
    carrier: of.text,
    changes: {
      delay: given.delay,
      loses: typeof loses === "number" ? loses : undefined,
      duplicates: typeof duplicates === "number" ? duplicates : undefined,
      refuses: given.refuses,
      reportsDelivery: given["reports-delivery"],
      reportsAfter: given["reports-after"],
      reportsEarly: given["reports-early"],
      reportsParts: given["reports-parts"],
      expiresAfterMs: given.expires,
      carriesPerMs: given.carries,
      longTexts: given["long-texts"],
      partsOrder: given["parts-order"],
    },
    forMs: given.for,
  });
}

function nextFate({ of, loses, duplicates, times = 1, for: forMs }: CarrierArgs, step: StepContext): StoryInput {
  const handsets = step.resolveHandsets(of, "of");
  if (loses !== undefined && duplicates !== undefined) {
    step.reportProblem(["duplicates"], keyConflict("'loses' and 'duplicates' cannot both be", "make two steps of it"));
  }
  const way = loses ?? duplicates;
  if (way === undefined) {
    step.reportProblem([], { code: "missing-key", message: "needs 'loses' or 'duplicates'", on: "key" });
  }
  if (forMs !== undefined) {
    step.reportProblem(["for"], keyConflict("the next texts are counted by 'times'", "write times: 10"));
  }
  const fate = loses === undefined ? "duplicates" : "loses";
  return toWorld({ verb: "carrier", of: handsets, fate, way: way === "messages" ? "messages" : "texts", times });
}
