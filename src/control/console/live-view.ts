import { version } from "../../base/index.js";
import type { LabFacts, LiveSource, LogEntry, RunView, StoryView } from "../../console/index.js";
import type { ClockStatus, Happening, Lab } from "../../lab/index.js";
import { redactedUrl } from "../../wire/index.js";
import type { Control } from "../control.js";
import { LabReadings } from "./lab-readings.js";
import { entryOf } from "./log-entry.js";

/** Facts of a server that the console shows beside its lab. The functions are called at each reading. */
export interface LiveParts {
  /** Resolves when the lab exists. */
  readonly ready: Promise<unknown>;
  readonly mode: LabFacts["mode"];
  /** See `LiveSource`; default false. */
  readonly keepsHistory?: boolean;
  readonly isBundledReceiver: () => boolean;
  /** The file of the recording; null: it is in memory. */
  readonly database: () => string | null;
  /** For a served copy of a recording: the end of that recording. */
  readonly pastEndsAtMs?: () => number | undefined;
  readonly run?: () => RunView | undefined;
}

/** A lab as the console's stream reads it. */
export class LiveView extends LabReadings implements LiveSource<Happening> {
  readonly #control: Control;
  readonly #parts: LiveParts;

  constructor(control: Control, parts: LiveParts) {
    super(() => control.served.lab);
    this.#control = control;
    this.#parts = parts;
  }

  get ready(): Promise<unknown> {
    return this.#parts.ready;
  }

  get generation(): Lab {
    return this.lab();
  }

  get keepsHistory(): boolean {
    return this.#parts.keepsHistory === true;
  }

  get keepsPictures(): boolean {
    return this.#parts.pastEndsAtMs?.() === undefined;
  }

  facts(): LabFacts {
    const { mode, isBundledReceiver, database, pastEndsAtMs } = this.#parts;
    const { scenario, parts } = this.#control;
    const { lastsMs, startsAtMs, timezone } = scenario.cast;
    const lab = this.lab();
    const endsAtMs = pastEndsAtMs?.();
    const url = parts.receiver();
    return {
      name: scenario.name,
      version,
      seed: scenario.seed,
      mode,
      startsAtMs,
      lastsMs: lastsMs === Infinity ? null : lastsMs,
      timezone,
      receiver: url === null ? null : redactedUrl(url),
      isBundledReceiver: isBundledReceiver(),
      database: database(),
      people: lab.world.population.personCount,
      hasClock: lab.clock !== undefined,
      hasPast: true,
      ...(endsAtMs !== undefined && { pastEndsAtMs: endsAtMs }),
      ...(lab.settleMs !== undefined && { settleMs: lab.settleMs }),
    };
  }

  clock(): ClockStatus {
    return this.#control.clock();
  }

  follow(listener: (happening: Happening) => void): () => void {
    return this.#control.parts.followers.follow(listener);
  }

  entryOf(happening: Happening): LogEntry | undefined {
    return entryOf(happening, (channel) => this.lab().world.population.nameOfHandset(channel));
  }

  trafficOf(happening: Happening): (Happening & { readonly kind: "event" }) | undefined {
    if (happening.kind !== "event") return undefined;
    return happening.type === "mo_sms" || happening.type === "mt_sent" ? happening : undefined;
  }

  story(): StoryView {
    return this.#control.story.view();
  }

  run(): RunView | undefined {
    return this.#parts.run?.();
  }
}
