import { setTimeout as sleep } from "node:timers/promises";
import { parseForm } from "../../wire/index.js";
import type { LogbookEvent } from "../logbook/steps.js";
import type { ReceiverBug } from "./receiver-bug.js";

const transport = "docs/reference/webhook.md#transport";
const statuses = "docs/reference/webhook.md#accepting-statuses";

/** Time that one event takes where events wait for each other: wall milliseconds. */
const ONE_AT_A_TIME_MS = 100;

/** How long an event holds its place in a pool: wall milliseconds. */
const HELD_MS = 200;

/** How many events wait before the next one is refused. */
const MANY = 30;

/** Bugs with HTTP, and with many events at a time. */
export const connectionBugs: readonly ReceiverBug[] = [
  {
    name: "query-404",
    story: "It compares the whole URL with its route, so an address with a query is not found.",
    source: transport,
    change: ({ admit }) => ({
      admit: (request) => (request.path.includes("?") ? { status: 404, body: "not found" } : admit(request)),
    }),
  },
  {
    name: "redirects",
    story: "It answers with 301 to another address, which the service asks with GET and without the event.",
    source: transport,
    change: ({ admit }) => ({
      admit: (request) =>
        request.method === "POST" && !request.path.endsWith("/moved")
          ? { status: 301, headers: { location: "/moved" } }
          : admit(request),
    }),
  },
  {
    name: "calls-404",
    story: "It answers calls with 404 and texts with 200, so the service repeats each call.",
    source: statuses,
    change: ({ answer }) => ({
      answer: (outcome) =>
        /_(?:call|miss)$/.test(outcome.event.type) ? { status: 404, body: "no route" } : answer(outcome),
    }),
  },
  {
    name: "closes-without-notice",
    story: "It closes the connection after each answer and does not say so, so the next event on it fails.",
    source: transport,
    change: ({ answer }) => ({ answer: (outcome) => ({ ...answer(outcome), connection: "close" }) }),
  },
  {
    name: "chunked-crashes",
    story: "A body in chunks, as a proxy sends it, crashes it with 500.",
    source: transport,
    change: ({ admit }) => ({
      admit: (request) => {
        if (request.headers["content-length"] === undefined) throw new TypeError("int(None)");
        return admit(request);
      },
    }),
  },
  {
    name: "first-packet-only",
    story: "It takes the first packet for the whole body, so an event over a slow link is cut.",
    source: transport,
    change: () => ({
      decode: ({ body, firstBytes }) => parseForm(body.subarray(0, firstBytes).toString("utf8")),
    }),
  },
  {
    name: "expect-417",
    story: "It refuses Expect: 100-continue with 417.",
    source: transport,
    change: ({ admit }) => ({
      admit: (request) =>
        request.headers["expect"] === undefined ? admit(request) : { status: 417, body: "expectation failed" },
    }),
  },
  {
    name: "charset-415",
    story: "It compares the whole content type, so one with a charset is refused with 415.",
    source: transport,
    change: ({ admit }) => ({
      admit: (request) =>
        request.headers["content-type"] === "application/x-www-form-urlencoded"
          ? admit(request)
          : { status: 415, body: "unsupported media type" },
    }),
  },
  {
    name: "one-at-a-time",
    story: `Events wait for each other, ${ONE_AT_A_TIME_MS} ms each, and a hundred at once outlast the timeout.`,
    source: transport,
    change: ({ apply }) => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        apply: async (event) => {
          const mine = last.then(() => sleep(ONE_AT_A_TIME_MS, undefined, { ref: false }));
          last = mine;
          await mine;
          await apply(event);
        },
      };
    },
  },
  {
    name: "fails-under-load",
    story: `More than ${MANY} events at once get 500: its pool of database connections is empty.`,
    source: transport,
    change: ({ apply }) => {
      let open = 0;
      return {
        apply: async (event) => {
          open++;
          try {
            if (open > MANY) throw new Error("sorry, too many clients already");
            await sleep(HELD_MS, undefined, { ref: false });
            await apply(event);
          } finally {
            open--;
          }
        },
      };
    },
  },
  {
    name: "resets-under-load",
    story: `More than ${MANY} events at once have their connections reset.`,
    source: transport,
    change: ({ admit }) => {
      let open = 0;
      return {
        admit: async (request) => {
          open++;
          try {
            if (open > MANY) return { status: 503, connection: "cut" };
            await sleep(HELD_MS, undefined, { ref: false });
            return await admit(request);
          } finally {
            open--;
          }
        },
      };
    },
  },
  {
    name: "deadlock-for-one-person",
    story: "Two events of one person at the same moment wait for each other and are never answered.",
    source: transport,
    change: ({ answer, apply }) => {
      const open = new Map<string, number>();
      const stuck = new WeakSet<LogbookEvent>();
      return {
        apply: async (event) => {
          const { phone } = event;
          open.set(phone, (open.get(phone) ?? 0) + 1);
          await sleep(10, undefined, { ref: false });
          if ((open.get(phone) ?? 0) > 1) stuck.add(event);
          await sleep(10, undefined, { ref: false });
          open.set(phone, (open.get(phone) ?? 1) - 1);
          if (!stuck.has(event)) await apply(event);
        },
        answer: (outcome) => (stuck.has(outcome.event) ? { status: 500, connection: "hang" } : answer(outcome)),
      };
    },
  },
  {
    name: "shared-variable",
    story: "It keeps the current event in a variable that all requests share, so events at the same moment mix.",
    source: transport,
    change: ({ apply, reply, answer }) => {
      let phone = "";
      return {
        apply: async (event) => {
          phone = event.phone;
          await sleep(5, undefined, { ref: false });
          await apply({ ...event, phone });
        },
        reply: (event) => reply({ ...event, phone }),
        answer: (outcome) => answer({ ...outcome, event: { ...outcome.event, phone } }),
      };
    },
  },
  {
    name: "loses-updates",
    story: "Two events of one person at the same moment both read the counts, and the second writes over the first.",
    source: transport,
    change: ({ apply }, records) => ({
      apply: async (event) => {
        if (event.type !== "mo_sms") return apply(event);
        const before = records.contactOf(event.phone).texts;
        await sleep(5, undefined, { ref: false });
        await apply(event);
        records.contactOf(event.phone).texts = before + 1;
      },
    }),
  },
];
