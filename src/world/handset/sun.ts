import { getPosition } from "suncalc";
import type { Place } from "../cast/cast.js";

/** The sun counts as constant for this time. */
export const SUN_STEP_MS = 900_000;

/** Maximum number of cached steps of a place: six weeks. */
const KEPT_MAX = 4096;

/** Cache of `sunShare` by place and step, because all phones of a place share the values. */
const skies = new WeakMap<Place, Map<number, number>>();

/**
 * What a panel gives under a clear sky, as a share of what it gives under a sun at the zenith.
 *
 * The sun's elevation is computed by suncalc for the middle of the step; Haurwitz' clear-sky model (1945) gives the
 * irradiance of a horizontal panel: `sin e × exp(-0.059 / sin e)`, here divided by its value at the zenith.
 *
 * @param stepAtMs - start of the step, milliseconds since 1970
 * @returns 0..1; 0: the sun is not up
 * @see docs/reference/handset.md#solar-power
 */
export function sunShare(place: Place, stepAtMs: number): number {
  let sky = skies.get(place);
  if (sky === undefined) skies.set(place, (sky = new Map()));
  let share = sky.get(stepAtMs);
  if (share === undefined) {
    // eslint-disable-next-line no-restricted-globals -- the library takes the instant as a Date; no clock is read
    const { altitude } = getPosition(new Date(stepAtMs + SUN_STEP_MS / 2), place.lat, place.lon);
    const sine = Math.sin((altitude * Math.PI) / 180);
    share = altitude <= 0 ? 0 : sine * Math.exp(0.059 - 0.059 / sine);
    if (sky.size >= KEPT_MAX) sky.clear();
    sky.set(stepAtMs, share);
  }
  return share;
}

/**
 * The irradiance under clouds as a share of a clear sky's (Kasten and Czeplak 1980).
 *
 * @param cover - share of the sky that clouds cover, 0..1
 * @returns 0.25..1
 * @see docs/reference/handset.md#solar-power
 */
export function cloudShare(cover: number): number {
  return 1 - 0.75 * cover ** 3.4;
}

/**
 * The number of the day at a place by mean solar time. It changes within 17 minutes of the true solar midnight, because
 * it leaves out the equation of time.
 *
 * @param atMs - milliseconds since 1970
 */
export function solarDay({ lon }: Place, atMs: number): number {
  return Math.floor(atMs / 86_400_000 + lon / 360);
}
