import {
  type Environment,
  evaluateTemplate,
  evaluateValue,
  type ObjectValue,
  type TextOptions,
  type Value,
  WorkBudget,
} from "../../expression/index.js";
import { cutText } from "../../wire/index.js";
import { type ContextSource, rootContext } from "../context/root-context.js";
import type { SessionContact } from "../contact-state.js";
import type { FlowDefinition } from "../definition.js";
import type { SprintEventBody, SprintEvent } from "../events.js";
import type { Assets, Host, HttpCall } from "../host.js";
import { languagesOf, type Localizable, localizedTexts } from "../localization.js";
import type { Run, RunStatus, Session } from "../session.js";
import { RunEnvironment } from "./run-environment.js";
import { sprintUnitsMax, unitsOfEvent } from "./sprint-work.js";

/** Characters of an error event. An error may quote a text that the flow has built. */
const errorMax = 10_000;

/** Text of a template. */
export interface Evaluated {
  readonly text: string;
  /** An expression failed; its error event is logged and its part of the text is empty. */
  readonly isFailed: boolean;
}

/** A flow that an action has entered; its run starts when the node's actions have run. */
export interface PushedFlow {
  readonly flow: FlowDefinition;
  readonly isTerminal: boolean;
}

/** The state of a sprint while it executes: its own copies of session and contact, and the events so far. */
export class RunningSprint implements ContextSource {
  readonly host: Host;
  readonly session: Session;
  readonly events: SprintEvent[] = [];
  /** The work that the sprint may do. */
  readonly work: WorkBudget;
  contact: SessionContact;
  /** Node visits. */
  visits = 0;
  /** The session was started by a message, and is at its very first node. */
  isFirstNode = false;
  pushed: PushedFlow | undefined;
  /** Called once, when the session's first step exists. */
  onFirstStep: (() => void) | undefined;
  /** Set by an action that needs HTTP: the sprint is suspended. */
  calls: readonly HttpCall[] | undefined;
  #environment: RunEnvironment | undefined;
  #environmentOf: SessionContact | undefined;
  readonly #contexts: ObjectValue[] = [];

  /** @param session - a copy that the sprint may change */
  constructor(host: Host, session: Session, contact: SessionContact) {
    this.host = host;
    this.session = session;
    this.contact = contact;
    this.work = new WorkBudget(host.sprintUnits ?? sprintUnitsMax);
  }

  get assets(): Assets {
    return this.host.assets;
  }

  /** The run that executes. */
  get run(): Run {
    const run = this.session.runs[this.session.currentRun];
    if (run === undefined) throw new RangeError(`session ${this.session.uuid} has no run ${this.session.currentRun}`);
    return run;
  }

  /** The definition of the current run; undefined: it has been deleted. */
  get flow(): FlowDefinition | undefined {
    return this.assets.flow(this.run.flow.uuid);
  }

  get environment(): Environment {
    if (this.#environment === undefined || this.#environmentOf !== this.contact) {
      this.#environment = new RunEnvironment(this.host, this.contact);
      this.#environmentOf = this.contact;
    }
    return this.#environment;
  }

  /**
   * Adds an event at the current step of the current run.
   * @param body - is changed into the event
   */
  log(body: SprintEventBody): void {
    // Once the work is used up, errors are left out: the run fails, and the failure says why.
    if (!this.work.spend(unitsOfEvent(body)) && body.type === "error") return;
    const run = this.session.runs[this.session.currentRun];
    const step = run?.path.at(-1);
    // Not a copy: spreading bodies of thirty shapes took a fifth of a sprint's time.
    const event: SprintEventBody & { atMs?: number; run?: string; step?: string } = body;
    event.atMs = this.host.now();
    if (run !== undefined) event.run = run.uuid;
    if (step !== undefined) event.step = step.uuid;
    this.events.push(event as SprintEvent);
  }

  logError(text: string): void {
    this.log({ type: "error", text: cutText(text, errorMax) });
  }

  /** Ends the current run as failed. */
  fail(text: string): void {
    this.exitRun(this.run, "failed");
    this.log({ type: "failure", text });
  }

  /** Ends the current run as failed if the sprint's work is used up. */
  failIfWorkIsUsedUp(): void {
    if (!this.work.isUsedUp || this.run.status === "failed") return;
    this.fail("sprint takes too much work: its expressions, tests and actions are more than one text may cause");
  }

  exitRun(run: Run, status: RunStatus): void {
    const now = this.host.now();
    run.status = status;
    run.exitedAtMs = now;
    run.modifiedAtMs = now;
  }

  /** Text of a template; failures become an error event. */
  evaluate(template: string, options?: TextOptions): Evaluated {
    this.work.spend(unitsOfText);
    // Most texts of flows are plain.
    if (!template.includes("@") && template.length < plainMax) return { text: template, isFailed: false };
    const { text, errors } = evaluateTemplate(this.environment, this.#context(), template, options);
    if (errors.length > 0) this.logError(errors.join(", "));
    return { text, isFailed: errors.length > 0 };
  }

  /** Typed value of a template; failures become an error event. */
  evaluateValue(template: string): Value {
    const { value, errors } = evaluateValue(this.environment, this.#context(), template);
    if (errors.length > 0) this.logError(errors.join(", "));
    return value;
  }

  /** Texts of a property in the contact's language. @param languages - other languages than the run's own */
  localized(localizable: Localizable, languages?: readonly string[]): readonly string[] {
    const { flow } = this;
    if (flow === undefined) return localizable.authored;
    return localizedTexts(flow, languages ?? languagesOf(this.contact, this.host.environment, flow), localizable);
  }

  /** As {@link localized}, for a property of one text. */
  localizedText(uuid: string, property: string, authored: string): string {
    return this.localized({ uuid, property, authored: [authored] })[0] ?? authored;
  }

  #context(): ObjectValue {
    const index = this.session.currentRun;
    return (this.#contexts[index] ??= rootContext(this, index));
  }
}

/** Units of work of a plain text. */
const unitsOfText = 1;

/** Plain texts up to this length skip the evaluator, which cuts longer ones. */
const plainMax = 10_000;
