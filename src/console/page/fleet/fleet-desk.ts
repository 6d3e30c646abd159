import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { fleet } from "../connection/state.js";
import { type Arrangement, arrange, emptyArrangement, isSameArrangement } from "./arrangement.js";
import { type FleetChange, FleetModel, type FleetSource } from "./fleet-model.js";
import { type FleetQuery, isMoving, plainQuery } from "./fleet-query.js";
import { HandsetSelection } from "./selection.js";

/** Shortest time between two rearrangements, if order or filter depends on changing values. */
const ARRANGE_EVERY_MS = 1000;

/**
 * State of the fleet view: model, arrangement and selection. Signals change once per frame of the stream; canvases
 * listen to the individual changes.
 */
export class FleetDesk {
  readonly model = new FleetModel();
  readonly selection = new HandsetSelection(() => {
    this.#selected.value += 1;
  });
  readonly #arrangement = signal<Arrangement>(emptyArrangement);
  readonly #frame = signal(0);
  readonly #selected = signal(0);
  readonly #listeners = new Set<(change: FleetChange) => void>();
  #query: FleetQuery = plainQuery;
  #arrangedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The shown handsets in their order. */
  get arrangement(): ReadonlySignal<Arrangement> {
    return this.#arrangement;
  }

  /** Counts updates of the model. A component that reads it is drawn again with each. */
  get frame(): ReadonlySignal<number> {
    return this.#frame;
  }

  /** Counts changes of the selection. */
  get selected(): ReadonlySignal<number> {
    return this.#selected;
  }

  /** Follows the stream. @returns stops following */
  open(): () => void {
    const stop = effect(() => {
      const source = fleet.value;
      if (source !== undefined) this.#update(source);
    });
    return () => {
      stop();
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Sets the filters and the order. */
  ask(query: FleetQuery): void {
    this.#query = query;
    this.#arrange();
  }

  /** Calls `listener` with each change of the model. @returns stops the calls */
  onChange(listener: (change: FleetChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #update(source: FleetSource): void {
    const { groups, count } = this.model;
    const change = this.model.update(source);
    const isOther = groups !== this.model.groups || count !== this.model.count;
    if (isOther) {
      this.selection.resize(source.count);
      this.#arrange();
    } else if (isMoving(this.#query)) this.#arrangeSoon();
    for (const listener of this.#listeners) listener(change);
    this.#frame.value = this.#frame.peek() + 1;
  }

  #arrangeSoon(): void {
    const waitMs = this.#arrangedAt + ARRANGE_EVERY_MS - performance.now();
    if (waitMs <= 0) this.#arrange();
    else this.#timer ??= setTimeout(() => this.#arrange(), waitMs);
  }

  #arrange(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#arrangedAt = performance.now();
    const next = arrange(this.model, this.#query);
    if (!isSameArrangement(next, this.#arrangement.peek())) this.#arrangement.value = next;
  }
}
