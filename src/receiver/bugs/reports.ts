import { applyReport } from "../logbook/right-steps.js";
import type { LogbookRecords } from "../logbook/records.js";
import type { LogbookEvent } from "../logbook/steps.js";
import type { ReceiverBug } from "./receiver-bug.js";

const states = "docs/reference/handset.md#message-states";
const isReport = ({ type }: LogbookEvent): boolean => ["mt_sent", "mt_dlvd", "mt_fail"].includes(type);

function isUnsent({ type, relayer, id }: LogbookEvent, records: LogbookRecords): boolean {
  return type === "mt_dlvd" && records.outgoing(relayer, id) === undefined;
}

/** Bugs with reports about outgoing texts, which come in any order, twice, or never. */
export const reportBugs: readonly ReceiverBug[] = [
  {
    name: "delivered-first-crashes",
    story: "mt_dlvd of a text whose mt_sent has not come crashes it with 500.",
    source: "docs/reference/handset.md#duplicates-and-losses",
    change: ({ apply }, records) => ({
      apply: (event) => {
        if (isUnsent(event, records)) throw new TypeError("cannot set properties of undefined (setting 'status')");
        return apply(event);
      },
    }),
  },
  {
    name: "delivered-first-404",
    story: "It answers mt_dlvd with 404 while the text's mt_sent has not come, so the report is given up.",
    source: "docs/reference/webhook.md#accepting-statuses",
    change: ({ identify, apply, answer }, records) => ({
      identify: (event) => (isUnsent(event, records) ? null : identify(event)),
      apply: (event) => (isUnsent(event, records) ? undefined : apply(event)),
      answer: (outcome) =>
        isUnsent(outcome.event, records) ? { status: 404, body: "no such message" } : answer(outcome),
    }),
  },
  {
    name: "delivered-first-ignored",
    story: "It ignores mt_dlvd of a text whose mt_sent has not come, so the text stays sent for ever.",
    source: "docs/reference/handset.md#field-reports",
    change: ({ apply }, records) => ({
      apply: (event) => (isUnsent(event, records) ? undefined : apply(event)),
    }),
  },
  {
    name: "status-goes-back",
    story: "The report that comes last decides, so mt_sent after mt_dlvd makes a delivered text sent again.",
    source: states,
    change: ({ apply }, records) => ({
      apply: (event) => (isReport(event) ? applyReport(event, records, (_, next) => next) : apply(event)),
    }),
  },
  {
    name: "third-report-crashes",
    story: "It allows two reports for each text: mt_sent, mt_fail and mt_dlvd of one text crash it with 500.",
    source: states,
    change: ({ apply }) => {
      const counts = new Map<string, number>();
      return {
        apply: (event) => {
          const name = `${event.relayer} ${event.id}`;
          const count = (counts.get(name) ?? 0) + 1;
          if (isReport(event)) counts.set(name, count);
          if (isReport(event) && count > 2) throw new RangeError("no transition from this state");
          return apply(event);
        },
      };
    },
  },
  {
    name: "answers-reports",
    story: "It replies to mt_sent, the event that a reply causes, so it writes to the person without end.",
    source: "docs/reference/handset.md#field-reports",
    change: ({ reply }) => ({
      reply: (event) => (event.type === "mt_sent" ? "Your message has been sent." : reply(event)),
    }),
  },
];
