import { field, type Field, keyed } from "../sheet/field.js";
import { duration } from "../fields/fields.js";
import { readWord } from "../fields/values/word.js";
import { scalar } from "../fields/values/scalar.js";
import { type Verb, verb } from "./verb.js";
import type { Read } from "../sheet/written.js";

const answers = ["ok", "slow", "close", "hang", "garbage", "reply"] as const;
type Answer = (typeof answers)[number];

/** Arguments of `receiver`. */
export interface ReceiverArgs {
  readonly answers: Answer | number;
  readonly for?: string | undefined;
}

const readAnswer: Read<Answer | number> = (value, tell) =>
  scalar<Answer | number>("ok, slow, close, hang, garbage, reply or a status", (text) => {
    if (!/^-?\d+$/.test(text))
      return readWord(answers, { noun: "ok, slow, close, hang, garbage, reply or a status" })(text, tell);
    const status = Number(text);
    if (status >= 200 && status <= 599) return status;
    tell({ code: "out-of-range", message: `must be a status 200..599, got ${text}` });
    return undefined;
  })(value, tell);

function answersField(about: string): Field<Answer | number, Answer | number> {
  return field(readAnswer, about, {
    anyOf: [{ enum: answers }, { type: ["integer", "string"], minimum: 200, maximum: 599, pattern: "^[2-5][0-9]{2}$" }],
  });
}

/** The bundled receiver behaves otherwise. */
export const receiver: Verb<ReceiverArgs> = verb({
  name: "receiver",
  about: "The bundled receiver answers otherwise: with a status, slowly, not at all, or with nonsense.",
  example: "{ at: 30m, receiver: { answers: 500, for: 10m } }",
  args: keyed({
    answers: answersField(
      "ok; a status; slow: after two seconds; close: hangs up; hang: never; garbage: no HTTP; reply: asks for a message.",
    ),
    for: duration("Until it is again as before; without it, it stays.").optional(),
  }),
  toInput: ({ answers: answer, for: forMs }) => ({
    to: "receiver",
    input: {
      ...(typeof answer === "number" ? { answers: "status" as const, status: answer } : { answers: answer }),
      ...(forMs !== undefined && { forMs }),
    },
  }),
});
