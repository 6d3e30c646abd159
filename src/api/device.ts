import type { Channel } from "../gateway/index.js";
import type { RecordOf } from "../schema/index.js";

/** A status report is kept for 30 days (docs/reference/service-api.md#device). */
const KEPT_MS = 30 * 86_400_000;

/** Invented phone models. */
const models = [
  "Nyota A12",
  "Nyota A32 Lite",
  "Tembo 5",
  "Tembo 5 Max",
  "Savanna S2",
  "Duma X1",
  "Kivu C3",
  "Kivu C7 Pro",
  "Mto 4G",
  "Jua Neo 2",
] as const;

/**
 * The last status report of a channel's phone, in the phone's codes: `DIS`, `BAT`…
 * (docs/reference/service-api.md#device). Before the first report, and after 30 days without one, only the model is
 * known.
 */
export function deviceOf(
  { spec, device, hasSynced, lastSeenMs }: Channel,
  nowMs: number,
): RecordOf<"channels">["device"] {
  const isKnown = hasSynced && nowMs - lastSeenMs <= KEPT_MS;
  return {
    name: modelOf(spec.uuid),
    power_level: isKnown ? device.powerLevel : -1,
    power_status: isKnown ? device.powerStatus : null,
    power_source: isKnown ? device.powerSource : null,
    network_type: isKnown ? device.networkType : null,
  };
}

/** Chooses a model by the channel's UUID, so that a phone keeps it. */
function modelOf(uuid: string): string {
  return models[Number.parseInt(uuid.slice(0, 8), 16) % models.length] ?? models[0];
}
