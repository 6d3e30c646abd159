import { readPairs } from "../received-event.js";
import type { ChangeSteps, LogbookEvent } from "../logbook/steps.js";
import type { ReceiverBug } from "./receiver-bug.js";

const losses = "docs/reference/handset.md#duplicates-and-losses";
const atService = "docs/reference/handset.md#duplicates-at-the-service";

const isText = ({ type }: LogbookEvent): boolean => type === "mo_sms";

/** Knows texts by another key than the right one. */
function textsKnownBy(keyOf: (event: LogbookEvent) => readonly unknown[]): ChangeSteps {
  return ({ identify }) => ({
    identify: (event) => (isText(event) ? `mo_sms ${JSON.stringify(keyOf(event))}` : identify(event)),
  });
}

/** Gives other replies than the right one. @param begin - makes the reply for a receiver that remembers nothing */
function repliesBy(
  begin: (right: (event: LogbookEvent) => string | undefined) => (event: LogbookEvent) => string | undefined,
): ChangeSteps {
  return ({ reply }) => ({ reply: begin(reply) });
}

/** No text of a person is answered while the report of the answer before is missing. */
function waitsFor(report: "mt_sent" | "mt_dlvd"): ChangeSteps {
  return repliesBy((right) => {
    const waiting = new Set<string>();
    return (event) => {
      const { type, phone } = event;
      if (type === report) waiting.delete(phone);
      if (isText(event) && waiting.has(phone)) return undefined;
      const text = right(event);
      if (text !== undefined && isText(event)) waiting.add(phone);
      return text;
    };
  });
}

/** The same words again are not answered if the answer before was reported. */
function takesForHeard(report: "mt_sent" | "mt_dlvd"): ChangeSteps {
  return repliesBy((right) => {
    const asked = new Map<string, string>();
    const answered = new Set<string>();
    return (event) => {
      const { type, phone, text } = event;
      if (type === report) answered.add(asked.get(phone) ?? "");
      const question = JSON.stringify([phone, text]);
      if (isText(event) && answered.has(question)) return undefined;
      if (isText(event)) asked.set(phone, question);
      return right(event);
    };
  });
}

const localTime = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Berlin",
  dateStyle: "short",
  timeStyle: "medium",
});

/** Bugs with the course of a conversation: the receiver says something again, or is silent. */
export const conversationBugs: readonly ReceiverBug[] = [
  {
    name: "dedupe-by-id",
    story: "It knows events by their id alone, so a copy that the phone has told again, with another id, acts again.",
    source: losses,
    change: () => ({ identify: ({ pairs }) => readPairs(pairs).key }),
  },
  {
    name: "dedupe-without-sender",
    story: "It knows texts by words and time, so of two people who write the same at once it answers one.",
    source: atService,
    change: textsKnownBy(({ text, timeMs }) => [text, timeMs]),
  },
  {
    name: "dedupe-by-local-time",
    story: "It keeps local times without a zone, so the hour that comes twice in autumn is one hour to it.",
    source: "docs/reference/webhook.md#value-types",
    change: textsKnownBy(({ phone, text, timeMs }) => [phone, text, localTime.format(timeMs ?? 0)]),
  },
  {
    name: "answers-machines",
    story: "It answers short codes and names as it answers people, so two machines write to each other.",
    source: "docs/reference/handset.md#field-reports",
    change: repliesBy(
      (right) => (event) =>
        isText(event) && event.phone !== "" ? (right(event) ?? `We have got: ${event.text}`) : right(event),
    ),
  },
  {
    name: "answers-deliveries",
    story: "It thanks for each delivery, so each message that is delivered causes the next one.",
    source: "docs/reference/handset.md#sent-and-delivered",
    change: repliesBy((right) => (event) => (event.type === "mt_dlvd" ? "Thank you for reading." : right(event))),
  },
  {
    name: "reads-on-from-newest",
    story: "It reads on from the newest time that it has seen, so it never answers what comes late.",
    source: "docs/reference/handset.md#backlog",
    change: repliesBy((right) => {
      let newestMs = -Infinity;
      return (event) => {
        const { timeMs } = event;
        if (timeMs === null) return right(event);
        if (timeMs <= newestMs) return undefined;
        newestMs = timeMs;
        return right(event);
      };
    }),
  },
  {
    name: "alarm-means-dead",
    story: "It takes a phone that raised an alarm for dead, and ignores its texts from then on.",
    source: "docs/reference/handset.md#alarm-conditions",
    change: repliesBy((right) => {
      const dead = new Set<string>();
      return (event) => {
        if (event.type === "alarm") dead.add(event.relayer);
        return dead.has(event.relayer) ? undefined : right(event);
      };
    }),
  },
  {
    name: "conversation-by-channel",
    story: "It answers a person only through the channel of their first text.",
    source: losses,
    change: repliesBy((right) => {
      const channels = new Map<string, string>();
      return (event) => {
        if (!isText(event)) return right(event);
        const channel = channels.get(event.phone) ?? event.relayer;
        channels.set(event.phone, channel);
        return channel === event.relayer ? right(event) : undefined;
      };
    }),
  },
  {
    name: "waits-for-sent",
    story: "It answers a person again only after mt_sent of the answer before, which may never come.",
    source: "docs/reference/handset.md#message-states",
    change: waitsFor("mt_sent"),
  },
  {
    name: "waits-for-delivery",
    story: "It answers a person again only after mt_dlvd of the answer before, which many networks never report.",
    source: "docs/reference/handset.md#sent-and-delivered",
    change: waitsFor("mt_dlvd"),
  },
  {
    name: "sent-means-heard",
    story: "It takes mt_sent for proof that the person has the answer, and does not give it again.",
    source: "docs/reference/handset.md#sent-and-delivered",
    change: takesForHeard("mt_sent"),
  },
  {
    name: "delivered-means-heard",
    story: "It takes mt_dlvd for proof that the person has the answer, and does not give it again.",
    source: "docs/reference/handset.md#sent-and-delivered",
    change: takesForHeard("mt_dlvd"),
  },
  {
    name: "repeats-unconfirmed",
    story: "It says its last answer once more with the next one if no mt_sent has come meanwhile.",
    source: "docs/reference/handset.md#message-states",
    change: repliesBy((right) => {
      const open = new Map<string, string>();
      return (event) => {
        if (event.type === "mt_sent") open.delete(event.phone);
        const text = right(event);
        if (text === undefined) return undefined;
        const earlier = open.get(event.phone);
        open.set(event.phone, text);
        return earlier === undefined ? text : `${earlier} ${text}`;
      };
    }),
  },
];
