import type { LedgerReport } from "../../ledger/index.js";
import type { Scenario } from "../../scenario/index.js";
import type { HandsetView } from "../../world/index.js";
import type { callersStack } from "../messages/callers-stack.js";
import type { Do } from "../verbs.js";
import type { LabRun } from "./lab-run.js";
import type { Heard, LabEvent } from "./log.js";
import type { Span } from "./spans.js";

/** What a text must be: a regular expression that matches it, or a part of it. */
export type TextPattern = RegExp | string;

/** How long somebody waits for a text. */
export interface HearsOptions {
  /** Virtual time; default `5m`. */
  readonly within?: Span;
}

/** What people, handsets and messages of failures use of their lab. `TestLab` describes each. */
export interface LabFace {
  readonly scenario: Scenario;
  readonly now: Date;
  readonly nowMs: number;
  readonly do: Do;
  readonly receiver: { readonly url: string | undefined };
  readonly heard: readonly Heard[];
  /** The world under way. */
  readonly run: LabRun;
  ledger(): LedgerReport;
  events(type?: string): LabEvent[];
  phoneOf(who: string): string;
  heardBy(who: string): readonly Heard[];
  channelOf(selector: string): { readonly channel: number; readonly phone: string; readonly state: HandsetView };
  findHeard(person: string, pattern: TextPattern, options?: HearsOptions): Promise<Heard | undefined>;
  hearsOr(
    origin: ReturnType<typeof callersStack>,
    person: string,
    pattern: TextPattern,
    options?: HearsOptions,
  ): Promise<Heard>;
}
