import type { Kernel } from "../sim/index.js";
import type { CarrierSpec } from "./cast/cast.js";
import { Layers } from "./layers.js";

/** What of a carrier can change while it works. */
export type CarrierSettings = Omit<CarrierSpec, "name">;

/** The settings of a carrier in force, with temporary changes. */
export class ChangingSettings {
  readonly #kernel: Kernel;
  readonly #onChange: () => void;
  /** Replaced on each change, so that reading it costs nothing. */
  current: Readonly<CarrierSettings>;
  #layers: Layers<CarrierSettings> | undefined;

  constructor(spec: CarrierSettings, { kernel, onChange }: { readonly kernel: Kernel; readonly onChange: () => void }) {
    this.current = spec;
    this.#kernel = kernel;
    this.#onChange = onChange;
  }

  /** Changes settings, for good or for a time. */
  change(changes: Partial<CarrierSettings>, forMs: number | undefined): void {
    for (const key of Object.keys(changes) as (keyof CarrierSettings)[]) this.#changeOne(key, changes[key], forMs);
    this.#apply();
  }

  #changeOne<K extends keyof CarrierSettings>(
    key: K,
    value: Partial<CarrierSettings>[K],
    forMs: number | undefined,
  ): void {
    if (value === undefined) return;
    const layers = (this.#layers ??= new Layers({ ...this.current }));
    if (forMs === undefined) return layers.set(key, value);
    const layer = layers.addLayer(key, value, this.#kernel.now + forMs);
    this.#kernel.in(forMs, ChangingSettings.#changeEnded, { settings: this, layer });
  }

  static #changeEnded(
    this: void,
    { settings, layer }: { readonly settings: ChangingSettings; readonly layer: object },
  ): void {
    if (settings.#layers?.removeLayer(layer) === true) settings.#apply();
  }

  #apply(): void {
    const layers = this.#layers;
    if (layers === undefined) return;
    this.current = {
      delay: layers.get("delay"),
      loses: layers.get("loses"),
      duplicates: layers.get("duplicates"),
      refuses: layers.get("refuses"),
      reportsDelivery: layers.get("reportsDelivery"),
      reportsAfter: layers.get("reportsAfter"),
      reportsEarly: layers.get("reportsEarly"),
      reportsParts: layers.get("reportsParts"),
      expiresAfterMs: layers.get("expiresAfterMs"),
      carriesPerMs: layers.get("carriesPerMs"),
      longTexts: layers.get("longTexts"),
    };
    this.#onChange();
  }
}
