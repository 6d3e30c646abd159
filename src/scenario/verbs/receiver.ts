import * as z from "zod";
import { scalar } from "../fields/values/scalar.js";
import type { ReceiverAnswers } from "../scenario.js";
import { readWord } from "../fields/values/word.js";
import { type Field, field, keyed } from "../sheet/field.js";
import { forTime, verb } from "./verb.js";

const answers = ["ok", "slow", "close", "hang", "garbage", "reply"] as const;
type AnswerWords = (typeof answers)[number];

const wanted = "ok, slow, close, hang, garbage, reply or a status";

const readAnswer = scalar<ReceiverAnswers>(wanted, (text, report) => {
  if (!/^-?\d+$/.test(text)) {
    const word = readWord(answers, { noun: wanted })(text, report);
    return word && { answers: word };
  }
  const status = Number(text);
  if (status >= 200 && status <= 599) return { answers: "status", status };
  report({ code: "out-of-range", message: `must be a status 200..599, got ${text}` });
  return undefined;
});

/** An answer mode of the bundled receiver. */
export function answerField(about: string): Field<ReceiverAnswers, AnswerWords | number> {
  return field(
    z.union([z.literal(answers), z.int().min(200).max(599), z.string().regex(/^[2-5][0-9]{2}$/)]),
    readAnswer,
    about,
  );
}

/** The verb `receiver`: switches the answer mode of the bundled receiver. */
export const receiver = verb({
  name: "receiver",
  about: "The bundled receiver answers otherwise: with a status, slowly, not at all, or with nonsense.",
  example: "{ at: 30m, receiver: { answers: 500, for: 10m } }",
  args: keyed({
    answers: answerField(
      "ok: as its application says; a status; slow: after two seconds; close: hangs up; hang: never; garbage: no HTTP; reply: asks for a message.",
    ),
    for: forTime,
  }),
  toInput: ({ answers: answer, for: forMs }) => ({ to: "receiver", input: { ...answer, forMs } }),
});
