import { isListening } from "../../../lab/index.js";
import { answerWords, isAccepted, isFailure } from "../client.js";
import type { AuditContext } from "../context.js";
import { type AuditTrial, fault, type Outcome, passed, untested } from "../trial.js";

/** Words that are tried with each strange argument. */
const WORDS_MAX = 3;

/** How often a failure must come, each time for a new person. */
const PROOFS = 3;

interface StrangeArgument {
  readonly id: string;
  /** Completes "a known word and …". */
  readonly what: string;
  readonly text: string;
}

const strange: readonly StrangeArgument[] = [
  { id: "word-alone", what: "nothing after it", text: "" },
  { id: "word-percent-emoji", what: "a percent sign and an emoji", text: "40 % 💧 done" },
  { id: "word-line-ends", what: "line ends", text: "one\r\ntwo" },
  { id: "word-return", what: "a carriage return", text: "one\rtwo" },
  { id: "word-apostrophe", what: "an apostrophe", text: "it's o'clock" },
  { id: "word-script", what: "another script", text: "Привет 你好 مرحبا" },
  { id: "word-accents", what: "accents", text: "Où est le café" },
  { id: "word-property", what: "the name of a property", text: "constructor" },
  { id: "word-long", what: "500 letters", text: "a long answer of somebody ".repeat(20).trim() },
  { id: "word-number", what: "a huge number", text: "99999999999999999999" },
];

/** A text of a word that the receiver knows and a strange argument: it may refuse or ignore it, and must not fail. */
async function tryStrange(context: AuditContext, { text }: StrangeArgument): Promise<Outcome> {
  const words = (await context.words.named()).slice(0, WORDS_MAX);
  if (words.length === 0) return untested("no word is known on which it acts: name one with --text");
  for (const word of words) {
    const send = () =>
      context.post(context.body("mo_sms", { phone: context.person().phone, text: `${word} ${text}`.trim() }));
    const first = await send();
    if (!isFailure(first)) continue;
    if (!(await isListening(context.client.url.href))) {
      return fault(`${answerWords(first)}, and nothing listens any more`, [first]);
    }
    let isProven = true;
    for (let proof = 1; proof < PROOFS && isProven; proof++) isProven = isFailure(await send());
    const control = await context.post(context.body("mo_sms", { phone: context.person().phone, text: `${word} 7` }));
    if (isProven && isAccepted(control))
      return fault(`“${word}” with it is answered with ${answerWords(first)}`, [first]);
  }
  return passed;
}

/** Words that the receiver knows, with strange arguments. */
export const wordTrials: readonly AuditTrial[] = strange.map((one): AuditTrial => ({
  id: one.id,
  title: `A known word with ${one.what} fails`,
  severity: "high",
  why: "People write what they like after a word. The service repeats an event that fails three times, then gives it up.",
  field: "docs/reference/webhook.md#encoding",
  about: `a word that the receiver knows and ${one.what}: it may refuse or ignore it, and must not fail`,
  // A receiver that ends by it must not be missed by other trials.
  isAlone: true,
  run: (context) => tryStrange(context, one),
}));
