import type { Kernel } from "../sim/index.js";
import { encodeEvent, isForwarded, type ServiceEvent, type ServicePreset, type Tally } from "../wire/index.js";
import type { Channel } from "./channels.js";
import type { ContinuedState } from "./continued-state.js";
import type { EventCopy, EventWay, Journal } from "./journal.js";
import type { Emission, GatewayPorts } from "./ports.js";

/** The message or call that an event is about; `contact`: row of the sender or caller. */
export interface Subject {
  readonly id: number;
  readonly contact?: number;
}

/** Makes events: numbers them within their channel, encodes them once, writes them to the journal and emits them. */
export class Events {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #tally: Tally;
  readonly #preset: ServicePreset;
  readonly #ports: GatewayPorts;
  #rows: number;

  constructor(options: {
    kernel: Kernel;
    journal: Journal;
    tally: Tally;
    preset: ServicePreset;
    ports: GatewayPorts;
    continueFrom?: ContinuedState;
  }) {
    this.#rows = options.continueFrom?.rows.events ?? 0;
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#tally = options.tally;
    this.#preset = options.preset;
    this.#ports = options.ports;
  }

  /**
   * @param subject - null for events without a message or call
   * @returns its number within the channel
   */
  emit(
    channel: Channel,
    event: ServiceEvent,
    subject: Subject | null,
    { copy = null, way }: { readonly copy?: EventCopy | null; readonly way?: EventWay | undefined } = {},
  ): number {
    const isSent = isForwarded(event.event, channel.spec.forwards);
    const url = isSent ? channel.url : null;
    const emission: Emission = {
      row: ++this.#rows,
      channel: channel.spec.id,
      number: ++channel.eventCount,
      atMs: this.#kernel.now,
      type: event.event,
      body: encodeEvent(event, { spelling: this.#preset.spelling, sampleStatus: this.#preset.sampleStatus }),
      subject: subject?.id ?? null,
      copy,
      url,
      isForwarded: isSent,
      contact: subject?.contact ?? null,
    };
    if (copy === null) this.#tally.in("events");
    else this.#tally.copy("events", copy.cause);
    this.#journal.event(emission, url !== null, way);
    this.#ports.emit(emission);
    return emission.number;
  }
}
