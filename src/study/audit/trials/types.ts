import { type EventType, eventTypes, type Spelling } from "../../../wire/index.js";
import { answerWords, type Exchange, isAccepted, isFailure } from "../client.js";
import type { AuditContext } from "../context.js";
import { type AuditTrial, fault, observed, type Outcome, passed, untested } from "../trial.js";

/** How often a failure must come again. */
const PROOFS = 3;

const redirects: ReadonlySet<number> = new Set([301, 302, 303]);

async function tryType(context: AuditContext, type: EventType): Promise<Outcome> {
  const exchanges: Exchange[] = [];
  for (let proof = 0; proof < PROOFS; proof++) {
    const { exchange } = proof === 0 ? await context.control(type) : await context.askControl(type);
    const { status } = exchange;
    if (isAccepted(exchange)) {
      const { via, body } = exchange;
      if (via !== undefined) {
        return observed(
          `it is answered with ${via.slice(0, 3)} to another page, such as ${via.slice(7)}: the service asks that page, and takes its answer`,
        );
      }
      if (tellsError.test(body)) {
        return observed(
          `it is accepted with ${status}, and the answer tells of an error: ${body.trim().slice(0, 120)}`,
        );
      }
      if (proof > 0 || status === 200 || status === 201) return passed;
      return observed(
        `it is answered with ${status}; the service takes that for success, the documentation names 200 and 201`,
      );
    }
    if (status !== null && redirects.has(status)) {
      return fault(
        `an ordinary ${type} is answered with ${status}: the service asks the new address with GET, without the event`,
        [exchange],
      );
    }
    if (!isFailure(exchange)) {
      return observed(`it is refused with ${answerWords(exchange)}; the service repeats it three times`);
    }
    exchanges.push(exchange);
  }
  if (await takesFlowAlone(context)) {
    return observed(
      "the receiver takes flow events alone: an address that only a flow's webhook step calls gets no others",
    );
  }
  return fault(`an ordinary ${type} is answered with ${exchanges.map(answerWords).at(-1)}`, exchanges.slice(0, 1));
}

/** What an answer with a status of 2xx has that means a refusal, for want of a secret for example. */
const tellsError = /"(?:success|ok)"\s*:\s*false|"errors?"\s*:\s*(?:"[^"]|\[\s*[^\]\s]|\{\s*[^}\s])/i;

/** Whether flow is the only type that is accepted. */
async function takesFlowAlone(context: AuditContext): Promise<boolean> {
  for (const type of eventTypes) {
    if ((await context.control(type)).isAccepted !== (type === "flow")) return false;
  }
  return true;
}

async function trySpelling(context: AuditContext, spelling: Spelling): Promise<Outcome> {
  if (spelling === context.spelling) return passed;
  const refused: string[] = [];
  const crashed: Exchange[] = [];
  const crashedTypes: string[] = [];
  let accepted = 0;
  for (const type of eventTypes.filter((one) => one !== "mt_fail")) {
    const control = await context.control(type);
    if (!control.isAccepted) continue;
    const send = (): Promise<Exchange> =>
      context.post(context.body(type, { phone: context.person().phone }, spelling), { note: `spelling ${spelling}` });
    let exchange = await send();
    if (isAccepted(exchange)) accepted++;
    else if (!isFailure(exchange)) refused.push(type);
    else {
      for (let proof = 1; proof < PROOFS && isFailure(exchange); proof++) exchange = await send();
      if (!isFailure(exchange)) continue;
      crashed.push(exchange);
      crashedTypes.push(type);
    }
  }
  if (accepted === 0) {
    if (crashed.length + refused.length === 0) return untested("no ordinary event is accepted");
    return observed(`the receiver does not take the spelling ${spelling}`);
  }
  if (crashed.length > 0) {
    return fault(
      `it takes other types in this spelling, and fails at ${crashedTypes.join(", ")}: ${answerWords(crashed[0] as Exchange)}`,
      crashed.slice(0, 1),
    );
  }
  return refused.length === 0 ? passed : observed(`in the spelling ${spelling} it refuses ${refused.join(", ")}`);
}

/** Each type in each spelling. */
export const typeTrials: readonly AuditTrial[] = [
  ...eventTypes.map((type): AuditTrial => ({
    id: `type-${type.replace("_", "-")}`,
    title: `An ordinary ${type} fails`,
    severity: type === "mt_fail" ? "medium" : "high",
    why: "The service repeats it three times, 5 minutes apart, and gives it up.",
    field: "docs/reference/webhook.md#accepting-statuses",
    about: `an ordinary ${type}: a receiver may ignore or refuse it, and must neither fail nor redirect`,
    run: (context) => tryType(context, type),
  })),
  ...(["table", "sample", "historic"] as const).map((spelling): AuditTrial => ({
    id: `spelling-${spelling}`,
    title: `Some events in the spelling ${spelling} fail`,
    severity: "low",
    why: "The documentation spells its tables and its samples differently, and asks receivers to take both.",
    field: "docs/reference/webhook.md#spellings",
    about: `an ordinary event of each type in the spelling ${spelling}: if it takes one type so, it must not fail at another`,
    run: (context) => trySpelling(context, spelling),
  })),
];
