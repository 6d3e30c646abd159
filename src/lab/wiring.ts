import { Account, type AccountTables } from "../account/index.js";
import { DeliveryTroubles, ServiceRequests } from "../delivery/index.js";
import { Expectations } from "../expect/index.js";
import { Channels, type Emission, Gateway, Messages, type QueuedText } from "../gateway/index.js";
import { Ledger } from "../ledger/index.js";
import type { Step } from "../scenario/index.js";
import { Kernel, type SimTime, Streams } from "../sim/index.js";
import { disorderNote, PARTS_DISORDERED } from "../wire/index.js";
import { World } from "../world/index.js";
import { AccountState, flowNamed } from "./account/account-state.js";
import { FlowAnswers } from "./account/flow-answers.js";
import { startFlow } from "./account/flow-start.js";
import { conditionTables } from "./account/condition-tables.js";
import { watchedTables } from "./account/watched-tables.js";
import { CallMocks } from "./call-mocks.js";
import { channelSpecs } from "./channel-specs.js";
import { RunChecks } from "./checks/run-checks.js";
import type { LabOptions } from "./lab-options.js";
import type { LabParts } from "./lab-parts.js";
import { Pipeline } from "./pipeline.js";
import { Replies } from "./replies/replies.js";
import { CrossPartReplies } from "./replies/cross-part-replies.js";
import { RunLog } from "./run-log.js";
import { RunPosition } from "./resume/run-position.js";
import { servicePorts } from "./service-ports.js";
import { StoryConditions } from "./story-conditions.js";
import { StoryInputs } from "./story.js";
import { StoryWaits } from "./story-waits.js";
import { LiveClock } from "./time/clock.js";
import { ApiIdleness } from "./time/api-idleness.js";

/** The parts that all other parts share. */
interface Foundation {
  readonly options: LabOptions;
  readonly kernel: Kernel;
  readonly clock: LiveClock | undefined;
  readonly streams: Streams;
  readonly ledger: Ledger;
}

/**
 * Makes the parts of a run and connects them. World, gateway and pipeline call each other through closures: `uplink` (a
 * phone's sync reaches the service), `push` (the service asks a phone to sync), `heard` (a text reached its person) and
 * `applyReply` (an accepted answer may hold a reply).
 */
export function wireParts(options: LabOptions): LabParts {
  const { scenario, recording, fakes } = options;
  const log = new RunLog(recording, options.onHappening);
  const kernel = new Kernel(options.continues?.fromMs);
  const clock = clockOf(options, kernel);
  const streams = new Streams(scenario.seed);
  const ledger = new Ledger((cause, item) => recording.loss({ ...item, cause, atMs: kernel.now }));
  const base: Foundation = { options, kernel, clock, streams, ledger };
  const apiIdleness = new ApiIdleness();
  const world: World = new World({
    kernel,
    streams,
    cast: scenario.cast,
    fakes,
    tally: base.ledger,
    part: options.part,
    guests: options.continues?.guests,
    ports: {
      uplink: (channel, report) => gateway.sync(channel, report),
      send: (channel, phone, text) => void gateway.send(channel, { phone, text, origin: "traffic" }),
      heard: (person, text, channel, atMs, message) => {
        recording.hearing({ message, atMs });
        options.onHeard?.({ person, text, channel, atMs, message });
        expectations.recordHeard(person, { text, atMs, message });
        conditions.recordHeard(person, text);
      },
      disordered: (channel, message, order) => {
        recording.note({ atMs: kernel.now, channel, kind: PARTS_DISORDERED, text: disorderNote(message, order) });
      },
      asked: (person, channel) => flowAnswers.hear(person, channel),
    },
  });
  const isAhead = (step: Step): boolean => isStillToPlay(step, options.continues?.fromMs);
  const expectations = new Expectations(scenario.story.filter(isAhead), world);
  const conditions = new StoryConditions({ kernel, world });
  const position = new RunPosition(kernel);
  const troubles = new DeliveryTroubles((channel, name) =>
    streams.get(`${world.population.nameOfHandset(channel)}/${name}`),
  );
  const pipeline: Pipeline<Emission> = new Pipeline<Emission>({
    ...base,
    pace: options.pace,
    recording,
    position,
    scenario,
    sender: options.sender,
    giveUpAfterMs: options.giveUpAfterMs,
    receivers: receiversOf(options),
    fleet: options.fleet,
    judgeBusy: options.judgeBusy,
    selectorOf: (channel) => world.handset(channel).selector,
    isResumable: true,
    troubles,
    recordedRoundTrips: options.resumed?.roundTrips,
    onHappening: options.onHappening,
    countEvent: (emission) => {
      expectations.recordEvent(emission);
      conditions.recordEvent(emission);
      pipeline.measurements.recordEvent(emission);
    },
    applyReply: (attempt) => replies.apply(attempt),
    replies: () => replies,
    wakeWaiters: () => {
      apiIdleness.stopWaiting();
      requests.wakeProgress();
      if (pipeline.end.isOver) options.gate?.end();
    },
  });
  const accountState = new AccountState({ tables: recording.tables, population: world.population });
  const recordChange = (contact: number): void => {
    const person = expectations.awaitsChange ? accountState.personOf(contact) : undefined;
    if (person !== undefined) expectations.recordChange(person, accountState, kernel.now);
  };
  const expected = expectations.readsAccount ? watchedTables(recording.tables, recordChange) : recording.tables;
  const tables = scenario.story.some(isOnAccount)
    ? conditionTables(expected, {
        runChanged: (run) => {
          const person = conditions.awaitsRun ? accountState.personOf(run.contact) : undefined;
          if (person === undefined) return;
          conditions.recordRun(person, run, (flow) => flowNamed(recording.tables, flow)?.id === run.flow);
        },
        broadcastAdded: ({ text, baseLanguage }) => conditions.recordBroadcast(text[baseLanguage] ?? ""),
      })
    : expected;
  const { gateway, account, requests, mocks } = serviceOf(
    { ...base, tables },
    { world, pipeline, expectations, position, log },
  );
  const flowAnswers: FlowAnswers = new FlowAnswers({ account, world });
  const crossPartReplies = options.part && new CrossPartReplies(world);
  const { replyToSender } = scenario.service;
  const { replies: outcomes } = pipeline.measurements.behaviour;
  const replies = new Replies({ gateway, recording, replyToSender, crossPartReplies, outcomes });
  const checks = new RunChecks({
    scenario,
    kernel,
    recording,
    ask: options.askCheck,
    waits: options.pace.kind !== "paced",
  });
  const story = new StoryInputs({
    ...base,
    fakes,
    world,
    gateway,
    troubles,
    startsAtMs: scenario.cast.startsAtMs,
    file: scenario.source.file,
    steps: scenario.story,
    standing: scenario.troubles ?? [],
    isAhead,
    receiver: options.receiver,
    usualAnswers: scenario.receiver?.answers ?? { answers: "ok" },
    reportNoSwitch: () => {
      if (options.sender !== undefined) log.warnNoSwitch();
    },
    startFlow: (order) => startFlow(order, { account, tables, world }),
    addStepProblem: (text) => log.addStepProblem(kernel, text),
    writeNote: (text) => log.writeNote(kernel, text),
    checks,
    conditions,
    waits: new StoryWaits(recording, {
      isUsed: scenario.story.some(({ waits }) => waits !== undefined),
      isContinued: options.continues !== undefined,
    }),
    lastsMs: scenario.cast.lastsMs,
  });
  return {
    kernel,
    clock,
    ledger,
    position,
    world,
    gateway,
    account,
    accountState,
    pipeline,
    requests,
    mocks,
    replies,
    crossPartReplies,
    expectations,
    story,
    checks,
    apiIdleness,
    log,
  };
}

/** Whether a step waits for a flow or a broadcast of the account. */
function isOnAccount({ waits }: Step): boolean {
  return waits?.condition.kind === "flow" || waits?.condition.kind === "broadcast";
}

/** The delivery URLs when the run begins, each once. */
function receiversOf({ url, continues, scenario }: LabOptions): string[] {
  const named = [url, ...scenario.cast.handsets.map(({ receiver }) => receiver), ...(continues?.urls?.values() ?? [])];
  return [...new Set(named.filter((one) => typeof one === "string"))];
}

/** The clock that joins virtual and wall time; undefined: the run is not paced. */
function clockOf({ scenario, pace, ...options }: LabOptions, kernel: Kernel): LiveClock | undefined {
  if (pace.kind !== "paced") return undefined;
  return new LiveClock({
    kernel,
    wall: () => performance.now(),
    speed: pace.speed,
    playAheadMs: options.playAheadMs ?? 0,
    lastsMs: scenario.cast.lastsMs + (options.drainMs ?? 0),
    isPaused: options.isPaused ?? false,
    startsAt: options.served?.startsAt,
  });
}

/** The emulated service: the gateway, the account that API clients change, and the sender of the service's requests. */
function serviceOf(
  { options, kernel, clock, streams, ledger, tables }: Foundation & { readonly tables: AccountTables },
  {
    world,
    pipeline,
    expectations,
    position,
    log,
  }: Pick<LabParts, "world" | "pipeline" | "expectations" | "position" | "log">,
): Pick<LabParts, "gateway" | "account" | "requests" | "mocks"> {
  const { scenario, recording, pace } = options;
  const continueFrom = options.continues !== undefined ? recording.readGatewayState() : undefined;
  const push = (channel: number): void => world.push(channel);
  const service = {
    kernel,
    journal: recording,
    tally: ledger,
    preset: scenario.service,
    startsAtMs: scenario.cast.startsAtMs,
    channels: new Channels(channelSpecs(world, streams, options), recording, continueFrom?.channels),
    ports: {
      emit: pipeline.emitEvent,
      queued: (text: QueuedText) => {
        pipeline.recordQueuedText(text);
        expectations.recordQueued(text);
      },
      push,
      disown: (channel: number, message: number) => world.disown(channel, message),
    },
    streams,
    continueFrom,
  };
  const messages = new Messages({ ...service, recorded: recording.tables.messages });
  const mocks = new CallMocks(kernel, scenario.mocks ?? []);
  const account: Account = new Account({
    ...service,
    tables,
    messages,
    isServed: options.served !== undefined || options.hasAccount === true,
    directory: (phone) => entryOf(world, phone),
    ports: {
      push,
      flowEvent: (channel, step) => gateway.emitFlowEvent(channel, step),
      noted: (note) => log.showNote(kernel, note),
      ...servicePorts({
        pace,
        position,
        pipeline,
        mocks,
        resthookTimeoutMs: scenario.service.timeoutMs,
        account: () => account,
        requests: () => requests,
      }),
    },
  });
  const gateway = new Gateway({ ...service, messages, contacts: account.contacts, flows: account.flowHandler });
  for (const { channel, registration } of gateway.phoneRegistrations())
    world.restoreRegistration(channel, registration);
  const requests = new ServiceRequests({
    kernel,
    redirects: scenario.service.redirects,
    originMs: pipeline.originMs,
    recording,
    answersAfterMs: pace.kind === "lockstep" ? pace.lookaheadMs : undefined,
    isAllowed: options.isAllowed ?? (() => false),
    dueWallMs: clock && ((atMs: SimTime) => clock.dueWallMs(atMs)),
    catchUp: clock && (() => clock.catchUp()),
    refused: (host) => log.warnRefusedHost(kernel, host),
    failed: (error) => pipeline.end.fail(error),
  });
  return { gateway, account, requests, mocks };
}

/** Whether a step is yet to be played in a world that begins at `fromMs`, which is above 0 in a continued database. */
function isStillToPlay({ atMs }: Step, fromMs = 0): boolean {
  return fromMs === 0 || atMs > fromMs;
}

/**
 * Name and language that the service knows before its first contact with a phone number; undefined when it is not in
 * the cast.
 */
function entryOf(world: World, phone: string): { name: string | null; language: string | null } | undefined {
  const place = world.population.personByPhone(phone);
  if (place === undefined) return undefined;
  const { name = null, language = null } = world.person(place);
  return { name, language };
}
