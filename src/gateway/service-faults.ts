import type { Kernel } from "../sim/index.js";
import type { Report } from "../wire/index.js";

/** A fault of the service towards one phone: each property is a fault of its own. */
export interface ServiceFault {
  /** A sync request with at least this many reports fails after this many. */
  readonly failsAfter?: number;
  /** A sync request fails at a text that matches. */
  readonly poison?: TextPattern;
  /** A sync request fails at the next text that the phone reports, each time that it repeats it. */
  readonly poisonsNext?: boolean;
  /** The phone is offered no message. */
  readonly withholds?: boolean;
  /** Its messages are offered to the phones of these channels instead, to whichever syncs first. */
  readonly offersTo?: readonly number[];
  /** Each sync request is processed twice. */
  readonly doubles?: boolean;
  /** Texts that come in are offered to the phone, as if they were messages to their senders. */
  readonly offersIncoming?: boolean;
}

/** A pattern of texts, and how it was written. */
export interface TextPattern {
  readonly written: string;
  readonly matches: (text: string) => boolean;
}

/** Why a sync request fails, and how many of its reports come before the failure. */
export interface SyncFailure {
  readonly after: number;
  readonly why: "service-failed" | "poison-command";
}

interface EndingFault {
  readonly faults: ServiceFaults;
  readonly fault: ServiceFault;
}

/** The faults of the service towards one phone, permanent or temporary. Of several of one kind, the latest applies. */
export class ServiceFaults {
  #active: readonly ServiceFault[] = [];
  /** `poisonsNext`: the key of the text at which requests fail; undefined: no text has come yet. */
  #poisoned: string | undefined;
  /** Whether the log has noted a failed request since the faults last changed. */
  isNoted = false;

  /** Adds a fault, for `forMs` or until `clear`. */
  add(fault: ServiceFault, kernel: Kernel, forMs: number | undefined): void {
    this.#active = [...this.#active, fault];
    this.isNoted = false;
    if (fault.poisonsNext === true) this.#poisoned = undefined;
    if (forMs === undefined) return;
    const ending: EndingFault = { faults: this, fault };
    kernel.in(forMs, ServiceFaults.#faultEnded, ending);
  }

  static #faultEnded(this: void, { faults, fault }: EndingFault): void {
    faults.#active = faults.#active.filter((one) => one !== fault);
    faults.isNoted = false;
  }

  /** Ends all faults. */
  clear(): void {
    this.#active = [];
    this.#poisoned = undefined;
    this.isNoted = false;
  }

  #latest<K extends keyof ServiceFault>(key: K): ServiceFault[K] {
    return this.#active.findLast((fault) => fault[key] !== undefined)?.[key];
  }

  /** Whether each request is processed twice. */
  get doubles(): boolean {
    return this.#latest("doubles") === true;
  }

  /** Whether texts that come in are offered to the phone. */
  get offersIncoming(): boolean {
    return this.#latest("offersIncoming") === true;
  }

  /** The channels to whose phones the messages are offered instead. */
  get offersTo(): readonly number[] | undefined {
    return this.#latest("offersTo");
  }

  /** Whether the phone itself gets no offers. @param channel - its own */
  withholdsFrom(channel: number): boolean {
    return this.#latest("withholds") === true || this.offersTo?.includes(channel) === false;
  }

  /** Where and why a request with these reports fails; undefined: it does not. */
  failureOf(reports: readonly Report[]): SyncFailure | undefined {
    const failsAfter = this.#latest("failsAfter");
    const poisoned = this.#poisonIn(reports);
    const fails = failsAfter !== undefined && reports.length >= failsAfter;
    if (poisoned !== -1 && !(fails && failsAfter <= poisoned)) return { after: poisoned, why: "poison-command" };
    return fails ? { after: failsAfter, why: "service-failed" } : undefined;
  }

  /** The index of the first report at which a request fails; -1: none. */
  #poisonIn(reports: readonly Report[]): number {
    const poison = this.#latest("poison");
    const poisonsNext = this.#latest("poisonsNext") === true;
    if (poison === undefined && !poisonsNext) return -1;
    return reports.findIndex((report) => {
      if (report.type !== "mo_sms") return false;
      if (poisonsNext) this.#poisoned ??= keyOf(report);
      return (poisonsNext && this.#poisoned === keyOf(report)) || poison?.matches(report.text) === true;
    });
  }

  /** The active faults in words, for readers. */
  describe(): string[] {
    const failsAfter = this.#latest("failsAfter");
    const poison = this.#latest("poison");
    return [
      failsAfter === undefined ? [] : [`answers 500 after ${failsAfter} ${failsAfter === 1 ? "report" : "reports"}`],
      poison === undefined ? [] : [`fails at texts with ${poison.written}`],
      this.#latest("poisonsNext") === true ? ["fails at one text"] : [],
      this.#latest("withholds") === true ? ["offers no messages"] : [],
      this.offersTo === undefined ? [] : ["offers the messages to other phones"],
      this.doubles ? ["processes each request twice"] : [],
      this.offersIncoming ? ["offers texts that came in"] : [],
    ].flat();
  }
}

function keyOf({ phone, timeMs, text }: Extract<Report, { type: "mo_sms" }>): string {
  return `${phone} ${timeMs} ${text}`;
}
