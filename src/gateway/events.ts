import type { Kernel } from "../sim/index.js";
import { encodeEvent, type ServiceEvent, type ServicePreset, type Tally } from "../wire/index.js";
import type { Channel } from "./channels.js";
import type { Journal } from "./journal.js";
import type { GatewayPorts } from "./ports.js";
import type { ResumeState } from "./resume.js";

/** Where events come into being: numbered within their channel, encoded once, journalled, handed on. */
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
    resume?: ResumeState;
  }) {
    this.#rows = options.resume?.rows.events ?? 0;
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#tally = options.tally;
    this.#preset = options.preset;
    this.#ports = options.ports;
  }

  /** @param subject - the id of the message or call that the event is about; null for others */
  emit(channel: Channel, event: ServiceEvent, subject: number | null): void {
    const emission = {
      row: ++this.#rows,
      channel: channel.spec.id,
      number: ++channel.eventCount,
      atMs: this.#kernel.now,
      type: event.event,
      body: encodeEvent(event, { spelling: this.#preset.spelling, sampleStatus: this.#preset.sampleStatus }),
      subject,
      url: channel.url,
      phone: "phone" in event ? event.phone : null,
    };
    this.#tally.in("events");
    this.#journal.event(emission, channel.url !== null);
    this.#ports.emit(emission);
  }
}
