import { setTimeout as sleep } from "node:timers/promises";
import { answerWords, type Exchange, isAccepted } from "../client.js";
import { type AuditContext, refusedText } from "../context.js";
import { instantOf, type Leaves } from "../effects.js";
import { type AuditTrial, fault, observed, type Outcome, passed, untested } from "../trial.js";
import { noEffects } from "./doubles.js";

const backlog = "docs/reference/handset.md#backlog";

/** How many bursts must fail, and how many more are tried for it. */
const PROOFS = 2;
const BURSTS = 3;

/** Rest before a burst comes again: wall milliseconds. */
const REST_MS = 300;

async function burst(context: AuditContext, count: number): Promise<Exchange[]> {
  const bodies = Array.from({ length: count }, () => context.body("mo_sms", { phone: context.person().phone }));
  return Promise.all(bodies.map((body) => context.post(body, { note: `${count} at once` })));
}

async function tryBurst(context: AuditContext, wanted: number): Promise<Outcome> {
  const control = await context.control("mo_sms");
  if (!control.isAccepted) return untested(refusedText("mo_sms", control));
  if (context.client.left < wanted) {
    return untested(
      `${wanted} requests do not fit into the rest of the budget, ${context.client.left}: --budget ${wanted + 600}`,
    );
  }
  const exchanges = await burst(context, wanted);
  const failed = exchanges.filter(isLoadFailure);
  const refused = exchanges.filter((exchange) => !isAccepted(exchange) && !failed.includes(exchange));
  if (failed.length === 0) {
    return refused.length === 0
      ? passed
      : observed(
          `${refused.length} of ${wanted} are refused with ${answerWords(refused[0] as Exchange)}; the service repeats them`,
        );
  }
  const proofs = [failed];
  for (let more = 0; more < BURSTS && proofs.length < PROOFS && context.client.left > wanted; more++) {
    await sleep(REST_MS);
    if (!(await context.askControl("mo_sms")).isAccepted) await sleep(REST_MS * 10);
    const again = (await burst(context, wanted)).filter(isLoadFailure);
    if (again.length > 0) proofs.push(again);
  }
  if (proofs.length < PROOFS) return observed(`${failed.length} of ${wanted} failed once, and none at another time`);
  const all = proofs.flat();
  const worst = all.find(({ status }) => status !== null) ?? (failed[0] as Exchange);
  const isSlow = all.every(({ failure }) => failure?.startsWith("no answer within") === true);
  const busy = isSlow ? context.busyReason() : undefined;
  if (busy !== undefined) return untested(busy);
  return fault(
    `${failed.length} of ${wanted} at once are answered with ${answerWords(worst)}, and ${proofs[1]?.length} of ${wanted} at another time`,
    [worst],
  );
}

/** 503 and 429 ask the service to come again, which it does. */
function isLoadFailure({ status }: Exchange): boolean {
  return status === null || (status >= 500 && status !== 503);
}

const NAMES = /attempt|deliveries|request|hits|tries|seen|received/i;

async function tryUpdates(context: AuditContext): Promise<Outcome> {
  if (context.effects === undefined) return untested(noEffects);
  const control = await context.control("mo_sms");
  if (!control.isAccepted) return untested(refusedText("mo_sms", control));
  const changes = (phone: string, index: number) => ({
    phone,
    text: `Text number ${index} of this person, among others.`,
  });
  const counts = async (phone: string): Promise<Leaves> => {
    const found = new Map<string, number>();
    for (const { place, leaves } of await context.settledRecords({ phone })) {
      for (const [leaf, value] of leaves) {
        if (typeof value === "number" && instantOf(value) === undefined && !NAMES.test(leaf))
          found.set(`${place}${leaf}`, value);
      }
    }
    return found;
  };
  const model = context.person();
  await context.post(context.body("mo_sms", changes(model.phone, 1)));
  const one = await counts(model.phone);
  await context.post(context.body("mo_sms", changes(model.phone, 2)));
  const two = await counts(model.phone);
  const counters = [...two].filter(([at, value]) => value === 2 && one.get(at) === 1).map(([at]) => at);
  if (counters.length === 0) return untested("the effects have no count of a person's texts");
  const wrong: string[] = [];
  let last: Exchange[] = [];
  for (let round = 0; round < 5; round++) {
    const { phone } = context.person();
    const exchanges = await Promise.all(
      [1, 2].map((index) => context.post(context.body("mo_sms", changes(phone, index)))),
    );
    if (!exchanges.every(isAccepted)) continue;
    await context.recordsFor({ phone });
    let now = await counts(phone);
    if (counters.some((at) => now.get(at) === 1)) {
      // An application that queues events may need longer.
      await sleep(1000);
      now = await counts(phone);
    }
    const at = counters.find((name) => now.get(name) === 1);
    if (at === undefined) continue;
    wrong.push(at);
    last = exchanges;
    if (wrong.length > 1) break;
  }
  const [at] = wrong;
  return wrong.length < 2 || at === undefined
    ? passed
    : fault(
        `${at.replace(/^\./, "")} is 1 after two texts at the same moment, and 2 when they come one after the other`,
        last,
      );
}

/** Many events at once. */
export const loadTrials: readonly AuditTrial[] = [
  {
    id: "lost-update",
    title: "One of two texts at the same moment is not counted",
    severity: "high",
    why: "Who reads a count, adds one and writes it back loses what came in between.",
    field: backlog,
    about:
      "two texts of one person at the same moment, several times: counts must be as if they came one after the other",
    isAlone: true,
    run: tryUpdates,
  },
  {
    id: "load-60",
    title: "Sixty events at once fail",
    severity: "high",
    why: "Phones come back together after an outage, and the service delivers all that they have kept.",
    field: backlog,
    about: "texts of 60 people at once, twice if one fails: each must be answered within the service's timeout",
    isAlone: true,
    run: (context) => tryBurst(context, 60),
  },
  {
    id: "load-500",
    title: "Five hundred events at once fail",
    severity: "low",
    why: "After the outage of a region hundreds of phones come back together.",
    field: backlog,
    about:
      "texts of 500 people at once, twice if one fails, if the budget has room: each must be answered within the service's timeout",
    isAlone: true,
    run: (context) => tryBurst(context, 500),
  },
];
