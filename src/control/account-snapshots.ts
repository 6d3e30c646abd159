import { type ControlRefusal, refusal } from "./refusal.js";
import type { ControlParts } from "./control-parts.js";
import { type SnapshotNote, Snapshots } from "./snapshots.js";

/** Saves snapshots of the account and restores them. */
export class AccountSnapshots {
  readonly #parts: ControlParts;
  readonly #kept: Snapshots;

  constructor(parts: ControlParts) {
    this.#parts = parts;
    this.#kept = new Snapshots(parts.served?.database);
  }

  /** Sorted by name. */
  list(): readonly SnapshotNote[] {
    return this.#kept.list();
  }

  save(name: string): SnapshotNote {
    const { lab, recording } = this.#parts.lab();
    lab.gateway.saveChannels();
    return this.#kept.save(name, lab.nowMs, recording.snapshot());
  }

  /** Restores the account; virtual time continues. @throws ControlRefusal */
  async restore(name: string): Promise<void> {
    const bytes = this.#kept.read(name);
    if (bytes === undefined) throw this.#unknown(name);
    const { served } = this.#parts;
    if (served === undefined) throw unrestorable(name, "a run cannot restore a snapshot");
    const misfit = served.misfitOf(bytes);
    if (misfit !== undefined) throw unrestorable(name, misfit);
    await served.restore(bytes);
  }

  /** @throws ControlRefusal */
  drop(name: string): void {
    if (!this.#kept.drop(name)) throw this.#unknown(name);
  }

  #unknown(name: string): ControlRefusal {
    const names = this.#kept.list().map((one) => one.name);
    const message = `There is no snapshot '${name}'; there are: ${names.join(", ") || "none"}`;
    return refusal("detail", message, 404);
  }
}

function unrestorable(name: string, why: string): ControlRefusal {
  return refusal("detail", `The snapshot '${name}' cannot be restored: ${why}`, 409);
}
