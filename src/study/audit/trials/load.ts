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

/** @throws OutOfBudget when it has more requests than the budget */
function burst(context: AuditContext, count: number): Promise<Exchange[]> {
  const bodies = Array.from({ length: count }, () => context.body("mo_sms", { phone: context.person().phone }));
  return context.client.postTogether(bodies, { note: `${count} at once` });
}

/** What a burst does. */
interface Burst {
  readonly count: number;
  /**
   * Whether an answer that comes late or not at all is a fault. If not, only failures of the receiver are: the service
   * repeats what had no answer.
   */
  readonly judgesSilence: boolean;
}

async function tryBurst(context: AuditContext, { count, judgesSilence }: Burst): Promise<Outcome> {
  const control = await context.control("mo_sms");
  if (!control.isAccepted) return untested(refusedText("mo_sms", control));
  const isFault = judgesSilence ? isLoadFailure : isLoadError;
  const exchanges = await burst(context, count);
  const failed = exchanges.filter(isFault);
  if (failed.length === 0) {
    const wedged = await isWedged(context);
    if (wedged !== undefined)
      return fault(`after ${count} at once an ordinary text is not accepted: ${answerWords(wedged)}`, [wedged], "high");
    const others = exchanges.filter((exchange) => !isAccepted(exchange));
    const [first] = others;
    if (first === undefined) return passed;
    const how =
      first.status === null ? `have no answer (${answerWords(first)})` : `are refused with ${answerWords(first)}`;
    return observed(`${others.length} of ${count} at once ${how}; the service repeats them`);
  }
  const proofs = [failed];
  for (let more = 0; more < BURSTS && proofs.length < PROOFS; more++) {
    await sleep(REST_MS);
    if (!(await context.askControl("mo_sms")).isAccepted) await sleep(REST_MS * 10);
    const again = (await burst(context, count)).filter(isFault);
    if (again.length > 0) proofs.push(again);
  }
  if (proofs.length < PROOFS) return observed(`${failed.length} of ${count} failed once, and none at another time`);
  const all = proofs.flat();
  const worst = all.find(({ status }) => status !== null) ?? (failed[0] as Exchange);
  const isSlow = all.every(({ failure }) => failure?.startsWith("no answer within") === true);
  const busy = isSlow ? context.busyReason() : undefined;
  if (busy !== undefined) return untested(busy);
  return fault(
    `${failed.length} of ${count} at once are answered with ${answerWords(worst)}, and ${proofs[1]?.length} of ${count} at another time`,
    [worst],
  );
}

/** Ordinary texts that are tried after a burst, and the rest between them: wall milliseconds. */
const RECOVERY_TEXTS = 4;
const RECOVERY_REST_MS = 2000;

/** The last answer to an ordinary text, if none is accepted after a burst; undefined: the receiver has recovered. */
async function isWedged(context: AuditContext): Promise<Exchange | undefined> {
  for (let tries = 1; ; tries++) {
    const { exchange, isAccepted: isWell } = await context.askControl("mo_sms");
    if (isWell) return undefined;
    // A receiver that limits its load may rightly refuse for a while.
    if (tries === RECOVERY_TEXTS) return isLoadFailure(exchange) ? exchange : undefined;
    await sleep(RECOVERY_REST_MS);
  }
}

/** 503 and 429 ask the service to come again, which it does. */
function isLoadFailure(exchange: Exchange): boolean {
  return exchange.status === null || isLoadError(exchange);
}

function isLoadError({ status }: Exchange): boolean {
  return status !== null && status >= 500 && status !== 503;
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
    about:
      "texts of 60 people at once, on as many connections, twice if one fails: each must be answered within the service's timeout",
    isAlone: true,
    run: (context) => tryBurst(context, { count: 60, judgesSilence: true }),
  },
  {
    id: "load-500",
    title: "Five hundred events at once fail",
    severity: "medium",
    why: "After the outage of a region hundreds of phones come back together. An event without an answer is repeated; one that fails three times is lost.",
    field: backlog,
    about:
      "texts of 500 people at once, on as many connections: none may be answered with a failure, and an ordinary text must be accepted afterwards; those without an answer in time are observed",
    isAlone: true,
    run: (context) => tryBurst(context, { count: 500, judgesSilence: false }),
  },
];
