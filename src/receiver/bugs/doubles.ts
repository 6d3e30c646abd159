import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogbookEvent } from "../logbook/steps.js";
import type { ReceiverBug } from "./receiver-bug.js";

const retries = "docs/reference/webhook.md#retries";
const duplicates = "docs/reference/handset.md#duplicates-and-losses";

/** Turns of the event loop between check and insert, as with a database in between. */
const TURNS_BETWEEN = 5;

/** Keys that a cache with a window keeps. */
const WINDOW_KEYS = 20;

const isMessage = ({ type }: LogbookEvent): boolean => /^m[ot]_(?:sms|sent|dlvd|fail)$/.test(type);

/** Bugs in telling a new event from one that came before. */
export const doublesBugs: readonly ReceiverBug[] = [
  {
    name: "no-dedupe",
    story: "It acts on every request, so a retry acts again.",
    source: retries,
    change: () => ({ claim: () => true }),
  },
  {
    name: "dedupe-texts-only",
    story: "It tells repeated texts apart, and acts again on repeated calls, alarms and reports.",
    source: duplicates,
    change: ({ identify }) => ({ identify: (event) => (event.type === "mo_sms" ? identify(event) : null) }),
  },
  {
    name: "dedupe-reports-only",
    story: "It tells repeated reports apart, and acts again on a repeated incoming text.",
    source: retries,
    change: ({ identify }) => ({ identify: (event) => (event.type === "mo_sms" ? null : identify(event)) }),
  },
  {
    name: "dedupe-window",
    story: `It remembers the last ${WINDOW_KEYS} events, so a retry that comes hours later acts again.`,
    source: retries,
    change: ({ claim }, { known }) => ({
      claim: (key) => {
        const isNew = claim(key);
        if (known.size > WINDOW_KEYS) for (const oldest of [...known].slice(0, -WINDOW_KEYS)) known.delete(oldest);
        return isNew;
      },
    }),
  },
  {
    name: "dedupe-by-text",
    story: "It takes a second text with the same words for a copy, so a true repeat is swallowed.",
    source: "docs/reference/handset.md#field-reports",
    change: ({ identify }) => ({
      identify: (event) => (event.type === "mo_sms" ? `mo_sms ${event.phone} ${event.text}` : identify(event)),
    }),
  },
  {
    name: "dedupe-by-second",
    story: "It takes two texts of a person in one second for copies, so the second is lost.",
    source: duplicates,
    change: ({ identify }) => ({
      identify: (event) =>
        event.type === "mo_sms" && event.timeMs !== null
          ? `mo_sms ${event.phone} ${Math.floor(event.timeMs / 1000)}`
          : identify(event),
    }),
  },
  {
    name: "dedupe-by-body",
    story: "It compares whole bodies, so a retry with its fields in another order acts again.",
    source: retries,
    change: ({ identify }) => ({
      identify: (event) => (identify(event) === null ? null : JSON.stringify(event.pairs)),
    }),
  },
  {
    name: "dedupe-race",
    story: "It looks for the event, then inserts it: two copies at the same moment both find nothing.",
    source: duplicates,
    change: ({ claim }, { known }) => ({
      claim: async (key) => {
        const isKnown = key !== null && known.has(key);
        for (let turn = 0; turn < TURNS_BETWEEN; turn++) await nextTurn();
        await claim(key);
        return !isKnown;
      },
    }),
  },
  {
    name: "dedupe-across-types",
    story: "It tells messages apart by id alone, so mt_dlvd counts as a copy of mt_sent and is lost.",
    source: retries,
    change: ({ identify }) => ({
      identify: (event) => (isMessage(event) ? `message ${event.relayer} ${event.id}` : identify(event)),
    }),
  },
  {
    name: "dedupe-across-phones",
    story: "It leaves the relayer out of the key, so the same id of another phone is lost.",
    source: retries,
    change: ({ identify }) => ({
      identify: (event) => (event.id === "" ? identify(event) : `${event.type} ${event.id}`),
    }),
  },
  {
    name: "flow-key-without-values",
    story: "It leaves the count of values out of a flow event's key, so the second visit of a step is lost.",
    source: retries,
    change: ({ identify }) => ({
      identify: (event) =>
        event.type === "flow" ? `flow ${event.phone} ${event.field("flow")} ${event.field("step")}` : identify(event),
    }),
  },
  {
    name: "one-alarm-per-phone",
    story: "It keeps one alarm for each phone, so the next alarm is lost.",
    source: retries,
    change: ({ identify }) => ({
      identify: (event) => (event.type === "alarm" ? `alarm ${event.relayer}` : identify(event)),
    }),
  },
  {
    name: "acts-before-failing",
    story: "It acts, then fails with 500 at every fifth text, so the service's retry acts twice.",
    source: retries,
    change: ({ apply }) => {
      let texts = 0;
      return {
        apply: async (event) => {
          await apply(event);
          if (event.type === "mo_sms" && ++texts % 5 === 0) throw new Error("the connection to the queue was lost");
        },
      };
    },
  },
  {
    name: "loses-after-failing",
    story:
      "It marks an event as done, then fails with 500 at every fifth text, so the retry is ignored and the text lost.",
    source: retries,
    change: ({ apply, answer }) => {
      let texts = 0;
      const lost = new WeakSet<LogbookEvent>();
      return {
        apply: (event) => {
          if (event.type !== "mo_sms" || ++texts % 5 !== 0) return apply(event);
          lost.add(event);
        },
        answer: (outcome) =>
          lost.has(outcome.event) ? { status: 500, body: "the connection to the queue was lost" } : answer(outcome),
      };
    },
  },
  {
    name: "duplicate-500",
    story: "A unique index makes a copy fail with 500, so the service repeats it to the end.",
    source: "docs/reference/webhook.md#accepting-statuses",
    change: ({ answer }) => ({
      answer: (outcome) =>
        outcome.isKnown ? { status: 500, body: "duplicate key value violates unique constraint" } : answer(outcome),
    }),
  },
  {
    name: "duplicate-409",
    story: "It answers a copy with 409, which the service takes for a failure.",
    source: "docs/reference/webhook.md#accepting-statuses",
    change: ({ answer }) => ({
      answer: (outcome) => (outcome.isKnown ? { status: 409, body: "seen before" } : answer(outcome)),
    }),
  },
];
