import {
  answerWords,
  type Exchange,
  isAccepted,
  isFailure,
  meansReply,
  repeatsEvent,
  replyOf,
  replyText,
} from "../client.js";
import { type AuditContext, refusedText } from "../context.js";
import { markerOf } from "../effects.js";
import { type AuditTrial, fault, observed, type Outcome, passed, untested } from "../trial.js";

const replies = "docs/reference/webhook.md#json-replies";

/** What the service makes of the answer to a text; undefined: nothing is wrong with it. */
function brokenReply(exchange: Exchange): string | undefined {
  const reply = replyOf(exchange);
  if (reply.kind === "reply") {
    const { text } = reply.reply;
    const isSplit = !text.isWellFormed() || text.includes("\uFFFD");
    return isSplit ? "the reply ends in the middle of a letter" : undefined;
  }
  if (reply.kind !== "ignored") return undefined;
  return meansReply(exchange) ? `the service ignores the reply: ${reply.detail}` : undefined;
}

/** An answer that is the event itself, and that the service takes for a reply. */
async function tryEcho(context: AuditContext): Promise<Outcome> {
  const control = await context.control("mo_sms");
  if (!control.isAccepted) return untested(refusedText("mo_sms", control));
  for (const { exchange } of [control, await context.askControl("mo_sms")]) {
    const reply = replyOf(exchange);
    if (reply.kind !== "reply" || !repeatsEvent(exchange)) return passed;
    const { urns, contacts } = reply.reply;
    if (urns.length + contacts.length === 0) {
      return observed(
        "the answer repeats the event with its text, and names no recipient; history ignores such a reply",
      );
    }
  }
  return fault("the answer repeats the event with its phone and text: the service sends the person's own text back", [
    control.exchange,
  ]);
}

/** A trial of the replies to some texts. */
function replyTrial(
  head: Pick<AuditTrial, "id" | "title" | "severity" | "why" | "about">,
  texts: readonly string[],
): AuditTrial {
  const run = async (context: AuditContext): Promise<Outcome> => {
    const control = await context.control("mo_sms");
    if (!control.isAccepted) return untested(refusedText("mo_sms", control));
    let isReplied = false;
    for (const text of texts) {
      for (let proof = 0; ; proof++) {
        const exchange = await context.post(context.body("mo_sms", { phone: context.person().phone, text }));
        const seen = brokenReply(exchange);
        if (replyOf(exchange).kind === "reply") isReplied = true;
        if (seen === undefined) break;
        if (proof > 0) return fault(seen, [exchange]);
      }
    }
    return isReplied ? passed : untested("it does not reply to texts");
  };
  return { ...head, field: replies, run };
}

/** How many replies must follow each other to be a loop. */
const LOOP = 4;

async function tryLoop(context: AuditContext): Promise<Outcome> {
  const control = await context.control("mt_sent");
  if (!control.isAccepted) return untested(refusedText("mt_sent", control));
  const { phone } = context.person();
  const exchanges: Exchange[] = [];
  let text = "We will call you.";
  for (let round = 0; round < LOOP; round++) {
    const exchange = await context.post(context.body("mt_sent", { phone, text }));
    exchanges.push(exchange);
    const reply = replyText(exchange);
    if (reply === undefined) return passed;
    text = reply;
  }
  return fault(`${LOOP} reports in a row, each of the reply before it, are answered with a reply`, exchanges);
}

async function tryUrn(context: AuditContext): Promise<Outcome> {
  const control = await context.control("mo_sms");
  if (!control.isAccepted) return untested(refusedText("mo_sms", control));
  const reply = replyOf(control.exchange);
  if (reply.kind === "none") return untested("it does not reply to texts");
  const seen = brokenReply(control.exchange);
  if (seen !== undefined) {
    const again = await context.askControl("mo_sms");
    return brokenReply(again.exchange) === undefined ? passed : fault(seen, [again.exchange]);
  }
  if (reply.kind === "ignored") return observed(`the body of its answers is no reply: ${reply.detail}`);
  const person = context.person();
  const exchange = await context.post(context.body("mo_sms", { phone: person.phone }));
  const now = replyOf(exchange);
  if (now.kind !== "reply") return passed;
  const { urns, contacts } = now.reply;
  if (urns.length + contacts.length === 0)
    return observed("its replies name no recipient; history ignores such a reply");
  return passed;
}

/** Persons whose texts come at the same moment. */
const CROWD = 12;

async function tryMixed(context: AuditContext): Promise<Outcome> {
  const control = await context.control("mo_sms");
  if (!control.isAccepted) return untested(refusedText("mo_sms", control));
  const isAddressed = (await addressedTo(context)) === "sender";
  if (!isAddressed && !control.keepsText)
    return untested("it does not reply to the sender, and its effects cannot be seen");
  for (let proof = 0; ; proof++) {
    const crowd = Array.from({ length: CROWD }, () => {
      const { phone } = context.person();
      return { phone, text: `This is the text of ${markerOf(phone)}, and of nobody else at all.` };
    });
    const exchanges = await Promise.all(crowd.map((changes) => context.post(context.body("mo_sms", changes))));
    const wrong = exchanges.flatMap((exchange, index) => {
      const reply = replyOf(exchange);
      if (!isAddressed || reply.kind !== "reply") return [];
      const mine = markerOf(crowd[index]?.phone ?? "");
      const others = crowd.map(({ phone }) => markerOf(phone)).filter((phone) => phone !== mine);
      const body = JSON.stringify(reply.reply.urns);
      return !body.includes(mine) && others.some((phone) => body.includes(phone)) ? [exchange] : [];
    });
    let seen = wrong.length === 0 ? undefined : `${wrong.length} of ${CROWD} replies go to somebody else`;
    if (seen === undefined && control.keepsText) seen = await mixedRecords(context, crowd);
    if (seen === undefined) return passed;
    if (proof > 0) return fault(seen, wrong.length > 0 ? wrong.slice(0, 2) : exchanges.slice(0, 2));
  }
}

/** Records with the text of another person. */
async function mixedRecords(
  context: AuditContext,
  crowd: readonly { readonly phone: string; readonly text: string }[],
): Promise<string | undefined> {
  let mixed = 0;
  for (const { phone, text } of crowd) {
    const records = await context.recordsFor({ phone });
    const others = crowd.filter((one) => one.phone !== phone).map((one) => one.text);
    // A record names its person twice: by the phone, and in the text.
    const isMixed = records.some(({ leaves }) => {
      const values = [...leaves.values()].map(String);
      const isMine = values.some((value) => value !== text && value.endsWith(markerOf(phone)));
      const hasOther = values.some((value) => others.includes(value));
      return (isMine && hasOther && !values.includes(text)) || false;
    });
    if (isMixed) mixed++;
  }
  return mixed === 0 ? undefined : `${mixed} of ${crowd.length} people have the text of somebody else in the effects`;
}

/** Whether replies go to the sender of a text. */
async function addressedTo(context: AuditContext): Promise<"sender" | "nobody"> {
  const person = context.person();
  const reply = replyOf(await context.post(context.body("mo_sms", { phone: person.phone })));
  const isMine = reply.kind === "reply" && reply.reply.urns.some((urn) => urn.includes(markerOf(person.phone)));
  return isMine ? "sender" : "nobody";
}

/** Events of one person at the same moment. */
const AT_ONCE = 6;

async function tryOnePerson(context: AuditContext): Promise<Outcome> {
  const control = await context.control("mo_sms");
  if (!control.isAccepted) return untested(refusedText("mo_sms", control));
  for (let proof = 0; ; proof++) {
    const { phone } = context.person();
    const texts = Array.from(
      { length: AT_ONCE },
      (_, index) => `Text number ${index + 1} of ${AT_ONCE}, at the same moment.`,
    );
    const exchanges = await Promise.all(texts.map((text) => context.post(context.body("mo_sms", { phone, text }))));
    const failed = exchanges.find((exchange) => exchange.status === null || exchange.status >= 500);
    if (failed === undefined) return passed;
    if (await failsInTurn(context, texts)) {
      return untested("the same texts fail one after the other, too: see person-several-texts");
    }
    const after = await context.askControl("mo_sms");
    if (!after.isAccepted && proof === 0) continue;
    if (proof > 0)
      return fault(
        `${exchanges.filter((one) => !isAccepted(one)).length} of ${AT_ONCE} are answered with ${answerWords(failed)}`,
        [failed],
      );
  }
}

/** Whether one of some texts of a new person fails, though each waits for the answer to the one before. */
async function failsInTurn(context: AuditContext, texts: readonly string[]): Promise<boolean> {
  const { phone } = context.person();
  for (const text of texts) {
    if (isFailure(await context.post(context.body("mo_sms", { phone, text })))) return true;
  }
  return false;
}

const emoji = "😀";

/** What the service makes of the replies, and events at the same moment. */
export const replyTrials: readonly AuditTrial[] = [
  {
    id: "reply-ignored",
    title: "The service ignores the reply to an ordinary text",
    severity: "high",
    why: "The event counts as delivered, nobody gets the answer, and only the service's log says so.",
    field: replies,
    about: "an ordinary text: a reply in the answer must be one that the service takes",
    run: tryUrn,
  },
  {
    id: "reply-is-event",
    title: "The service takes the answer for a reply",
    severity: "high",
    why: "An answer of JSON with text and phone, or urn, is a reply, whatever else it has. An interface that answers with the record that it made should answer with less.",
    field: replies,
    about:
      "an ordinary text: an answer that repeats the fields of the event must not be one that the service takes for a reply",
    run: tryEcho,
  },
  replyTrial(
    {
      id: "reply-too-long",
      title: "A long text gets a reply of more than 480 characters",
      severity: "high",
      why: "The service refuses such a reply as a whole: the person hears nothing.",
      about: "texts of 440 to 1,600 letters: each reply must have at most 480 characters",
    },
    [440, 470, 480, 481, 1600].map((count) =>
      "We walk to the well. "
        .repeat(80)
        .slice(0, count - 1)
        .padEnd(count, "."),
    ),
  ),
  replyTrial(
    {
      id: "reply-emoji",
      title: "The reply to a text of many emoji is broken",
      severity: "medium",
      why: "A reply that is cut by UTF-16 units ends in half a letter; one that counts bytes or units cuts too early or too late.",
      about: "texts of 300 to 500 emoji, shifted by a letter: each reply must be whole and have at most 480 characters",
    },
    [emoji.repeat(300), `x${emoji.repeat(300)}`, emoji.repeat(480), `x${emoji.repeat(500)}`],
  ),
  {
    id: "reply-loop",
    title: "It replies to the report of its own reply",
    severity: "high",
    why: "Each reply causes mt_sent, and a reply to that causes the next: the person gets texts without end.",
    field: "docs/reference/handset.md#field-reports",
    about: `${LOOP} mt_sent in a row, each with the reply before it: the chain must end`,
    run: tryLoop,
  },
  {
    id: "people-mixed",
    title: "Texts at the same moment mix their people",
    severity: "high",
    why: "A variable that requests share sends one person's answer to another one.",
    field: "docs/reference/webhook.md#transport",
    about: `texts of ${CROWD} people at the same moment: each reply and record must be the sender's own`,
    isAlone: true,
    run: tryMixed,
  },
  {
    id: "one-person-at-once",
    title: "Texts of one person at the same moment fail",
    severity: "high",
    why: "A phone that comes back delivers the texts of one person at once.",
    field: "docs/reference/handset.md#backlog",
    about: `${AT_ONCE} texts of one person at the same moment: each must be answered, none with a failure`,
    isAlone: true,
    run: tryOnePerson,
  },
];
