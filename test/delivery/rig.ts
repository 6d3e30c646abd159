import { onTestFinished } from "vitest";
import { type Attempt, Delivery, type DeliveryOptions } from "../../src/delivery/index.js";
import { HttpClient } from "../../src/http/index.js";
import { Ledger, type LedgerReport } from "../../src/ledger/index.js";
import { Measurements } from "../../src/measure/index.js";
import { Kernel } from "../../src/sim/index.js";
import { type ServicePreset, servicePresets } from "../../src/wire/index.js";
import { serveHttp, type TestServer } from "../support/server.js";

/** A preset by name, with changes. */
export function preset(name: string, changes: Partial<ServicePreset> = {}): ServicePreset {
  const found = servicePresets.get(name);
  if (found === undefined) throw new Error(`no preset ${name}`);
  return { ...found, ...changes };
}

/** What a scripted receiver does with one attempt: answers with a status, closes the connection, or never answers. */
export type Answer = number | "close" | "hang";

/** A receiver that answers each attempt as `answerTo` says, after a delay in milliseconds. */
export function scripted(
  answerTo: (event: string, tryNumber: number) => { answer: Answer; delayMs?: number },
): Promise<TestServer> {
  return serveHttp((request, response) => {
    const { answer, delayMs = 0 } = answerTo(
      String(request.headers["x-handset-event"]),
      Number(request.headers["x-handset-attempt"]),
    );
    if (answer === "hang") return;
    setTimeout(() => (answer === "close" ? request.socket.destroy() : response.writeHead(answer).end()), delayMs);
  });
}

/** The virtual time and the outcome of an attempt that has taken effect. */
export interface Effect {
  readonly at: number;
  /** `channel/number` */
  readonly event: string;
  readonly outcome: Attempt["outcome"];
}

/** A Delivery with a kernel and a ledger. It collects what the ports report. */
export class Rig {
  readonly kernel: Kernel = new Kernel();
  readonly ledger: Ledger = new Ledger();
  readonly attempts: Attempt[] = [];
  readonly measured: Measurements = new Measurements({ isPaced: true });
  readonly effects: Effect[] = [];
  readonly errors: unknown[] = [];
  readonly delivery: Delivery;
  readonly #url: string;

  constructor(url: string, options: Partial<DeliveryOptions> & { connections?: number } = {}) {
    this.#url = url;
    const { connections = 20, ...rest } = options;
    const chosen = options.preset ?? preset("documented");
    const { wall = (): number => performance.now() } = options;
    const sender = new HttpClient({ connections, redirects: chosen.redirects, wall });
    onTestFinished(() => sender.close());
    this.delivery = new Delivery({
      kernel: this.kernel,
      sender,
      preset: chosen,
      answersAfterMs: 5000,
      wall,
      tally: this.ledger,
      marks: true,
      ports: {
        attempted: (attempt) => {
          this.attempts.push(attempt);
          this.measured.recordAttempt(attempt, attempt.posting.body.length);
          const { channel, number, outcome } = attempt;
          this.effects.push({ at: this.kernel.now, event: `${channel}/${number}`, outcome });
        },
        failed: (error) => void this.errors.push(error),
      },
      ...rest,
    });
  }

  /** Schedules an event. */
  eventAt(atMs: number, channel: number, number: number): void {
    this.kernel.at(
      atMs,
      () => {
        this.ledger.in("events");
        this.delivery.postEvent({
          channel,
          number,
          type: "mo_sms",
          atMs,
          url: this.#url,
          body: `event=mo_sms&sms=${number}`,
        });
      },
      undefined,
    );
  }

  /** Plays virtual time up to an instant as a lockstep run does. */
  async playUntil(endsAtMs: number): Promise<void> {
    while (this.kernel.nextAtMs <= endsAtMs) {
      if (this.kernel.nextAtMs >= this.delivery.horizonMs) await this.delivery.progress();
      else this.kernel.step();
    }
    this.kernel.advanceTo(endsAtMs);
  }

  close(): LedgerReport {
    return this.ledger.close({ texts: 0, calls: 0, ...this.delivery.census() });
  }
}
