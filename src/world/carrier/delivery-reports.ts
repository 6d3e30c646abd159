import { segmentsOf } from "../../wire/index.js";
import { type Kernel, sampleWhole } from "../../sim/index.js";
import type { CarrierSettings } from "../cast/cast.js";
import type { ChangingValues } from "../changing-values.js";
import type { Backlogs } from "./backlogs.js";
import type { Holding } from "./holding.js";
import type { IncomingReceipt, Outgoing, Subscriber } from "./subscriber.js";

/** A report of delivery on its way to a handset. */
interface Receipt {
  readonly reports: DeliveryReports;
  readonly to: Subscriber;
  readonly incoming: IncomingReceipt;
}

/**
 * What a carrier reports to a handset about the delivery of its messages: once or for each segment, after a time, or
 * before the message has reached anybody.
 */
export class DeliveryReports {
  readonly #kernel: Kernel;
  readonly #settings: ChangingValues<CarrierSettings>;
  readonly #backlogs: Backlogs;
  #underWay = 0;

  /** @param options - `backlogs`: where the reports arrive */
  constructor(options: {
    readonly kernel: Kernel;
    readonly settings: ChangingValues<CarrierSettings>;
    readonly backlogs: Backlogs;
  }) {
    this.#kernel = options.kernel;
    this.#settings = options.settings;
    this.#backlogs = options.backlogs;
  }

  /** Whether a report is under way; one that is held is not. */
  get areUnderWay(): boolean {
    return this.#underWay > 0;
  }

  /**
   * Draws whether the network reports a message as delivered when it accepts it (`reportsEarly`), and sends the report.
   *
   * @returns whether it did
   */
  reportsEarly(from: Subscriber, { id, epoch, isFragment }: Outgoing): boolean {
    const { reportsEarly = 0 } = this.#settings.current;
    if (reportsEarly === 0 || isFragment === true || !from.stream.chance(reportsEarly)) return false;
    this.#report(from, { kind: "delivered", id, epoch, isFurther: false, held: undefined }, 0);
    return true;
  }

  /**
   * Draws whether the network reports the delivery of a message that a person has received, and sends the report.
   *
   * @param held - how long the carrier held the message, which delays the report too
   */
  reportDelivery(from: Subscriber, { id, epoch, text }: Outgoing, held: Holding | undefined): void {
    const { reportsDelivery, reportsAfter, reportsParts } = this.#settings.current;
    if (reportsDelivery === 0 || !from.stream.chance(reportsDelivery)) return;
    const delayMs = sampleWhole(reportsAfter, from.stream);
    if (reportsParts !== true) {
      return this.#report(from, { kind: "delivered", id, epoch, isFurther: false, held }, delayMs);
    }
    const others = segmentsOf(text).count - 1;
    const delays = [delayMs, ...Array.from({ length: others }, () => sampleWhole(reportsAfter, from.stream))];
    for (const [nth, afterMs] of delays.sort((a, b) => a - b).entries()) {
      this.#report(from, { kind: "delivered", id, epoch, isFurther: nth > 0, held }, afterMs);
    }
  }

  #report(to: Subscriber, incoming: IncomingReceipt, delayMs: number): void {
    this.#underWay++;
    const receipt: Receipt = { reports: this, to, incoming };
    this.#kernel.in(delayMs, DeliveryReports.#arrived, receipt);
  }

  static #arrived(this: void, { reports, to, incoming }: Receipt): void {
    reports.#underWay--;
    reports.#backlogs.deliverOrHold(to, incoming);
  }
}
