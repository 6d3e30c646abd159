import type { IgnoredReplies } from "../../measure/index.js";
import { countOf, formatCount } from "../number-format.js";
import { plain } from "../terminal-text.js";
import type { Finding, FindingFacts } from "./finding.js";
import { formatShare } from "./phrases.js";

/** At most this many reasons get a finding each. */
const REASONS_MAX = 3;

/** Characters of an example. */
const EXAMPLE_MAX = 120;

/** Ignored replies are a fault of the receiver if at least this share of its replies is ignored. */
const BAD_SHARE = 0.05;

/** Why replies are ignored, as a clause with "they", and how to fix them. */
interface Remedy {
  readonly why: string;
  readonly fix: string;
  /** Present when the receiver did nothing wrong. */
  readonly isInnocent?: true;
}

/** Remedies by reason (docs/delivery.md#replies). */
const remedies: Readonly<Record<string, Remedy>> = {
  "no-recipient": {
    why: "they name no recipient",
    fix:
      'add "phone" with the number of the event to the answer, or set `service: { reply-to-sender: true }` in the ' +
      "scenario if your service does so",
  },
  "no-text": { why: 'they have no "text"', fix: 'put the words under "text"' },
  "bad-text": { why: 'their "text" is not a string', fix: 'put the words as a string under "text"' },
  "text-too-long": {
    why: "their text has more than 480 characters",
    fix: "shorten it, or send the rest through the API",
  },
  "bad-urn": {
    why: "their recipient is not a phone number",
    fix: 'write it as "phone": "+250788123456" or "urn": ["tel:+250788123456"]',
  },
  "bad-contact": { why: "their contact is not a UUID", fix: 'name the recipient by "phone" instead' },
  "urn-and-phone": { why: 'they have both "urn" and "phone"', fix: "leave one of them out" },
  "not-json": { why: "they are not valid JSON", fix: "encode the answer by a JSON library: it needs double quotes" },
  "not-an-object": { why: "they are lists", fix: "answer one object, and send further messages through the API" },
  "unknown-contact": {
    why: "the service has no contact with their UUID",
    fix: 'name the recipient by "phone" with the number of the event',
  },
  "unknown-channel": { why: "the service has no channel with their id", fix: 'leave "channel" out' },
  "released-channel": {
    why: "their channel is released, or the id is that of an earlier registration of the phone",
    fix: 'leave "channel" out, or use the id of the latest event of the phone',
  },
  "contact-gets-nothing": {
    why: "their recipient is blocked or has opted out",
    fix: "this is as the service does it",
    isInnocent: true,
  },
};

/** Replies that the service ignored, by reason, with an example and the remedy. */
export function ignoredReplyFindings({ replies: { valid, ignored }, attempts }: FindingFacts): Finding[] {
  const meant = valid + ignored.reduce((sum, { count }) => sum + count, 0);
  return ignored.slice(0, REASONS_MAX).map((one) => ignoredFinding(one, { meant, attempts }));
}

function ignoredFinding(
  { reason, count, event, answer }: IgnoredReplies,
  { meant, attempts }: { readonly meant: number; readonly attempts: number },
): Finding {
  const { why, fix, isInnocent } = remedies[reason] ?? {
    why: `the reason is ${reason}`,
    fix: "see docs/delivery.md",
  };
  const all = count === meant ? "" : ` (${formatShare(count / meant)})`;
  const were = `${formatCount(count)} of ${countOf(meant, "reply", "replies")}${all} ${count === 1 ? "was" : "were"} ignored`;
  return {
    kind: "ignored-replies",
    weight: isInnocent === true || count < BAD_SHARE * meant ? "note" : "bad",
    of: reason,
    text: `${were}, as ${why}; nobody heard them. For example ${exampleOf(answer)} to ${event}; to fix it, ${fix}.`,
    where: `handset why RECORDING ${event}`,
    severity: Math.min(1, count / Math.max(1, attempts)),
  };
}

/** The beginning of an answer, on one line. */
function exampleOf(answer: string): string {
  const text = plain(answer.replace(/\s+/g, " "));
  const start = text.slice(0, EXAMPLE_MAX).replace(/[\uD800-\uDBFF]$/, "");
  return start.length < text.length ? `${start}…` : start;
}
