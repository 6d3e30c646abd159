import { isE164 } from "../../wire/index.js";
import { MAX_REPLY_CHARACTERS, replyText } from "../logbook/right-steps.js";
import type { LogbookRecords } from "../logbook/records.js";
import type { LogbookSteps } from "../logbook/steps.js";
import type { ReceiverBug } from "./receiver-bug.js";

const source = "docs/reference/webhook.md#json-replies";

/** Replies to the texts of people with a text that is cut otherwise. */
function cutBy(cut: (text: string) => string) {
  return ({ reply }: LogbookSteps, records: LogbookRecords): Partial<LogbookSteps> => ({
    reply: (event) => {
      if (event.type !== "mo_sms" || !isE164(event.phone)) return reply(event);
      const text = cut(replyText(event.phone, event.text, records));
      records.replies.push({ phone: event.phone, text });
      return text;
    },
  });
}

/** Bugs in replies. */
export const replyBugs: readonly ReceiverBug[] = [
  {
    name: "reply-too-long",
    story: "It replies with 481 characters and more, which the service refuses as a whole.",
    source,
    change: cutBy((text) => text),
  },
  {
    name: "reply-one-too-long",
    story: "It cuts replies at 481 characters, one more than the service takes.",
    source,
    change: cutBy((text) =>
      Array.from(text)
        .slice(0, MAX_REPLY_CHARACTERS + 1)
        .join(""),
    ),
  },
  {
    name: "reply-splits-emoji",
    story: "It cuts replies by UTF-16 units, in the middle of an emoji.",
    source,
    change: cutBy((text) => text.slice(0, MAX_REPLY_CHARACTERS)),
  },
  {
    name: "reply-by-hand",
    story: "It writes the JSON of a reply by hand, so a quotation mark in a text breaks it and the reply is lost.",
    source,
    change: ({ answer }) => ({
      answer: (outcome) => {
        if (outcome.reply === undefined) return answer(outcome);
        return { status: 200, body: `{"urn": ["tel:${outcome.event.phone}"], "text": "${outcome.reply}"}` };
      },
    }),
  },
  {
    name: "reply-urn-space",
    story: "It reads the + of the phone as a space and replies to an address with a space.",
    source,
    change: ({ answer }) => ({
      answer: (outcome) => {
        const answered = answer(outcome);
        return { ...answered, ...(answered.body !== undefined && { body: answered.body.replace('"tel:+', '"tel: ') }) };
      },
    }),
  },
];
