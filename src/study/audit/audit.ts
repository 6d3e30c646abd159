/*
 * Plays trials of the contract at a receiver and judges each by what a right receiver could not do. A trial sends an
 * ordinary event first, as its control; who refuses that is not judged by the variant.
 */
import { performance } from "node:perf_hooks";
import { Closers, LabError } from "../../base/index.js";
import { allowedHosts } from "../../http/index.js";
import { HostWatch, isListening, refuseUrl } from "../../lab/index.js";
import { HostPressure } from "../../measure/index.js";
import { requireReset, resetReceiver } from "../reset-receiver.js";
import { eventTypes, parseForm, redactedUrl, type Spelling } from "../../wire/index.js";
import { answerWords, AuditClient, type Exchange, gotOf, isAccepted, OutOfBudget } from "./client.js";
import { AuditContext } from "./context.js";
import { EffectsReader, type EffectsSource } from "./effects.js";
import type { AuditOptions } from "./options.js";
import { openEffects, type OpenedEffects } from "./open-effects.js";
import { startAudited } from "./receiver-command.js";
import { playLine } from "./play-line.js";
import { auditTrials } from "./registry.js";
import { type AuditFinding, type AuditResult, gradeOf } from "./result.js";
import { type AuditTrial, type Outcome, untested } from "./trial.js";

/** Trials that are played at the same time; those that wait for effects take little of the receiver's time. */
const TOGETHER = 4;
const TOGETHER_WITH_EFFECTS = 8;

/**
 * Audits a receiver: plays trials of the contract with real HTTP, and returns what is proven against it.
 *
 * @param url - absolute http or https URL where it takes events; its query is kept
 * @throws LabError `bad-options`, `host-not-allowed`; `no-receiver` when nothing listens, or no ordinary event is accepted
 */
export async function auditReceiver(url: string, options: AuditOptions = {}): Promise<AuditResult> {
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  if (!isAllowed(url)) refuseUrl(url);
  const trials = chosenTrials(options.only);
  const nowMs = options.nowMs ?? Math.floor(Date.now() / 1000) * 1000 - 60_000 + 250;
  const closers = new Closers();
  try {
    const opened = await openEffects({ ...options, nowMs, isAllowed });
    const { service } = opened;
    if (service !== undefined) closers.push(() => service.close());
    const [program, ...words] = options.command ?? [];
    if (program !== undefined) {
      const command = await startAudited([program, ...words], url, { api: service, signal: options.signal });
      closers.push(() => command.stop());
    }
    if (options.reset !== undefined) {
      requireReset(options.reset, url);
      await resetReceiver(options.reset, url, { isAllowed, signal: options.signal });
    }
    if (!(await isListening(url))) {
      const hint = "start your receiver, or check the port";
      throw new LabError("no-receiver", `nothing listens at ${redactedUrl(url)}`, { hint });
    }
    return await playAudit(url, { trials, opened, nowMs, options });
  } finally {
    await closers.close();
  }
}

async function playAudit(
  url: string,
  audit: {
    readonly trials: readonly AuditTrial[];
    readonly opened: OpenedEffects;
    readonly nowMs: number;
    readonly options: AuditOptions;
  },
): Promise<AuditResult> {
  const { trials, opened, nowMs, options } = audit;
  const { source, service } = opened;
  const begin = performance.now();
  const untilMs = begin + (options.timeLimitMs ?? 60_000);
  const client = new AuditClient(url, {
    budget: options.budget ?? 500,
    untilMs,
    timeoutMs: options.timeoutMs ?? 5000,
  });
  const context = new AuditContext({
    client,
    effects: source && new EffectsReader(source, untilMs),
    judgesReplies: opened.judgesReplies,
    nowMs,
    seed: options.seed ?? Math.random(),
    texts: options.texts ?? [],
    ...(service !== undefined && { onPerson: (phone: string) => service.addPerson(phone) }),
  });
  const stopWatching = options.watchesHost === false ? () => undefined : watchHost(url, context, begin);
  try {
    await context.effects?.read();
    await findSpelling(context, options.spelling);
    // Words are looked for before anything is played at the same time.
    const words = await context.words.all();
    const outcomes = await playTrials(trials, context, options);
    return resultOf(explainSilence(outcomes, source), {
      words: words.map(({ word, from }) => `${word} (${from})`),
      url,
      client,
      begin,
      options,
    });
  } finally {
    stopWatching();
    client.close();
  }
}

/** Says why the effects show nothing, where they never did. */
function explainSilence(played: readonly Played[], source: EffectsSource | undefined): readonly Played[] {
  const { silence } = source ?? {};
  if (silence === undefined) return played;
  return played.map(({ trial, outcome }) => ({
    trial,
    outcome: outcome.kind === "untested" && /\beffects\b/.test(outcome.why) ? untested(silence) : outcome,
  }));
}

/** @throws LabError `bad-options` for an id that no trial has */
function chosenTrials(only: readonly string[] | undefined): readonly AuditTrial[] {
  if (only === undefined || only.length === 0) return auditTrials;
  const unknown = only.find((id) => !auditTrials.some((trial) => trial.id === id));
  if (unknown !== undefined) {
    throw new LabError("bad-options", `the audit has no trial '${unknown}'`, {
      hint: "handset audit --list names all",
    });
  }
  return auditTrials.filter(({ id }) => only.includes(id));
}

/** Watches this machine, so that slow answers on a busy one are no fault. */
function watchHost(url: string, context: AuditContext, begin: number): () => void {
  const pressure = new HostPressure();
  const watch = new HostWatch({
    wall: () => performance.now() - begin,
    receivers: [url],
    record: (second) => pressure.recordSecond(second),
  });
  context.busyReason = () => {
    const busy = pressure.busySeconds().length;
    const all = Math.max(1, (performance.now() - begin) / 1000);
    return busy / all < 0.1
      ? undefined
      : `other programs kept this machine busy for ${busy} s, so slow answers prove nothing: play it on a quiet machine`;
  };
  return () => watch.stop();
}

/** Finds a spelling in which the receiver accepts an ordinary event. @throws LabError `no-receiver` when it accepts none */
async function findSpelling(context: AuditContext, given: Spelling | undefined): Promise<void> {
  let first: Exchange | undefined;
  let isJson = false;
  for (const type of ["mo_sms", ...eventTypes.filter((one) => one !== "mo_sms")] as const) {
    for (const spelling of given === undefined ? (["both", "table", "historic", "sample"] as const) : [given]) {
      const exchange = await context.post(context.body(type, { phone: context.person().phone }, spelling));
      first ??= exchange;
      if (isAccepted(await context.client.followed(exchange))) {
        context.client.followsPages = exchange.status === 302 || exchange.status === 303;
        context.spelling = spelling;
        return;
      }
      if (isRedirect(exchange)) {
        context.spelling = spelling;
        return;
      }
    }
    // Early, as the receiver may limit requests.
    if (type === "mo_sms") isJson = await takesJson(context);
  }
  throw acceptsNothing(context, first, isJson);
}

/** Whether an ordinary text is accepted as JSON, which the service does not send. */
async function takesJson(context: AuditContext): Promise<boolean> {
  const body = JSON.stringify(Object.fromEntries(parseForm(context.body("mo_sms", { phone: context.person().phone }))));
  return isAccepted(await context.post(body, { contentType: "application/json" }));
}

/** The likely reason for which no ordinary event is accepted. */
function acceptsNothing({ client }: AuditContext, first: Exchange | undefined, isJson: boolean): LabError {
  // The words of a page without its tags, on one line.
  const said = (first?.body ?? "")
    .replaceAll(/<[^>]*>|[\s\p{Cc}]+/gu, " ")
    .replaceAll(/ +/g, " ")
    .trim();
  const words = first === undefined ? "no answer" : answerWords(first);
  const status = first?.status ?? 0;
  const hints: Readonly<Record<number, string>> = {
    401: "the address may need a secret: put it into the URL, as http://NAME:SECRET@HOST/ or in the query",
    403: "the address may need a secret in its query, or the receiver refuses strangers: let it know numbers that begin with +25078",
    404: "the path may be wrong: give the URL at which the service delivers events",
    405: "the path may be wrong: give the URL at which the service delivers events",
    429: "the receiver limits requests: raise the limit for the audit",
  };
  const refuses =
    "the receiver refuses everything: it may need a secret in the query, or fields that the service does not send";
  const fails = "the receiver fails at everything, so nothing can be compared: look into its log";
  const json =
    "it accepts the same event as JSON: the service sends forms, application/x-www-form-urlencoded, so it needs their parser";
  return new LabError(
    "no-receiver",
    `${redactedUrl(client.url.href)} accepts no ordinary event of any type: ${words}${said === "" ? "" : `: ${said.slice(0, 160)}`}`,
    { hint: isJson ? json : (hints[status] ?? (status >= 400 && status < 500 ? refuses : fails)) },
  );
}

function isRedirect({ status }: Exchange): boolean {
  return status !== null && status >= 301 && status <= 303;
}

interface Played {
  readonly trial: AuditTrial;
  readonly outcome: Outcome;
}

async function playTrials(
  trials: readonly AuditTrial[],
  context: AuditContext,
  { signal, onTrial, stopsAtFirst = false }: AuditOptions,
): Promise<Played[]> {
  const outcomes = new Map<string, Outcome>();
  let ended: string | undefined;
  const play = async (trial: AuditTrial): Promise<void> => {
    outcomes.set(trial.id, ended === undefined ? await playOne(trial, context, signal) : untested(ended));
    const outcome = outcomes.get(trial.id);
    if (outcome?.kind === "fault" && outcome.fault.exchanges.some(({ failure }) => failure !== undefined)) {
      if (!(await isListening(context.client.url.href))) ended = "the receiver no longer listens";
    }
    if (outcome?.kind === "fault" && stopsAtFirst) ended ??= "the audit ended at its first finding";
    onTrial?.(trial, outcomes.size, trials.length);
  };
  const together = trials.filter(({ isAlone }) => isAlone !== true);
  const queue = [...together];
  const worker = async (): Promise<void> => {
    for (let trial = queue.shift(); trial !== undefined; trial = queue.shift()) await play(trial);
  };
  await Promise.all(Array.from({ length: context.effects === undefined ? TOGETHER : TOGETHER_WITH_EFFECTS }, worker));
  for (const trial of trials) if (trial.isAlone === true) await play(trial);
  return trials.map((trial) => ({ trial, outcome: outcomes.get(trial.id) ?? untested("it was not played") }));
}

const limitsRequests = "the receiver limits requests and answers 429: raise the limit for the audit";

async function playOne(trial: AuditTrial, context: AuditContext, signal: AbortSignal | undefined): Promise<Outcome> {
  if (signal?.aborted === true) return untested("the audit was stopped");
  const { client } = context;
  const before = client.limited;
  try {
    const outcome = await trial.run(context);
    // A burst may rightly be limited.
    if (outcome.kind === "passed" || outcome.kind === "fault" || trial.id.startsWith("load-")) return outcome;
    const why = outcome.kind === "untested" ? outcome.why : outcome.text;
    return client.limited > before || why.includes("status 429") ? untested(limitsRequests) : outcome;
  } catch (error) {
    if (error instanceof OutOfBudget) return untested(error.message);
    // The page of the effects ends with its receiver: what was found so far stands.
    if (error instanceof LabError) return untested(`the effects can no longer be read: ${error.message}`);
    throw error;
  }
}

function resultOf(
  played: readonly Played[],
  about: {
    readonly url: string;
    readonly client: AuditClient;
    readonly begin: number;
    readonly options: AuditOptions;
    readonly words: readonly string[];
  },
): AuditResult {
  const shown = redactedUrl(about.url);
  const ofKind = <K extends Outcome["kind"]>(
    kind: K,
  ): { trial: AuditTrial; outcome: Extract<Outcome, { kind: K }> }[] =>
    played.flatMap(({ trial, outcome }) =>
      outcome.kind === kind ? [{ trial, outcome: outcome as Extract<Outcome, { kind: K }> }] : [],
    );
  const order = ["high", "medium", "low"];
  const findings = ofKind("fault")
    .map(({ trial, outcome: { fault } }): AuditFinding => {
      const { id, title, severity, why, field } = trial;
      return {
        id,
        severity: fault.severity ?? severity,
        title,
        seen: fault.seen,
        sent: fault.exchanges.map(({ sent }) => sent),
        got: fault.exchanges.map(gotOf),
        why,
        field,
        play: playLine(shown, id, about.options),
      };
    })
    .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  const observed = ofKind("observed");
  const passedTrials = ofKind("passed");
  return {
    url: shown,
    grade: gradeOf(findings),
    passed: passedTrials.length + observed.length,
    failed: findings.length,
    untested: ofKind("untested").map(({ trial, outcome }) => ({ id: trial.id, why: outcome.why })),
    observed: observed.map(({ trial, outcome }) => ({ id: trial.id, text: outcome.text })),
    requests: about.client.requests,
    burstRequests: about.client.burstRequests,
    seconds: Math.round((performance.now() - about.begin) / 100) / 10,
    findings,
    ...(about.words.length > 0 && { words: about.words }),
    passedIds: passedTrials.map(({ trial }) => trial.id),
  };
}
