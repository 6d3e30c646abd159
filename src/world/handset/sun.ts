import { getPosition } from "suncalc";
import type { Place } from "../cast/cast.js";

/** The sun counts as constant for this time. */
export const SUN_STEP_MS = 900_000;

/** Most steps of a place that are kept: more than five weeks. */
const KEPT_MAX = 4096;

/** By place: what is computed for one phone serves all of its place. */
const skies = new WeakMap<Place, Map<number, number>>();

/**
 * What a panel gives under a clear sky, as a share of what it gives under a sun at the zenith.
 *
 * The sun's elevation is computed by suncalc for the middle of the step; Haurwitz' clear-sky model (1945) gives the
 * irradiance of a horizontal panel: `sin e × exp(-0.059 / sin e)`, here divided by its value at the zenith.
 *
 * @param stepMs - begin of the step, milliseconds since 1970
 * @returns 0..1; 0: the sun is not up
 */
export function sunShare(place: Place, stepMs: number): number {
  let sky = skies.get(place);
  if (sky === undefined) skies.set(place, (sky = new Map()));
  let share = sky.get(stepMs);
  if (share === undefined) {
    // eslint-disable-next-line no-restricted-globals -- the library takes the instant as a Date; no clock is read
    const { altitude } = getPosition(new Date(stepMs + SUN_STEP_MS / 2), place.lat, place.lon);
    const sine = Math.sin((altitude * Math.PI) / 180);
    share = altitude <= 0 ? 0 : sine * Math.exp(0.059 - 0.059 / sine);
    if (sky.size >= KEPT_MAX) sky.clear();
    sky.set(stepMs, share);
  }
  return share;
}

/** The share of a clear sky's irradiance under clouds (Kasten and Czeplak 1980). @param cover - 0..1 of the sky */
export function cloudShare(cover: number): number {
  return 1 - 0.75 * cover ** 3.4;
}

/** The number of the solar day at a place: it changes at its solar midnight, within a quarter of an hour. */
export function solarDay({ lon }: Place, atMs: number): number {
  return Math.floor(atMs / 86_400_000 + lon / 360);
}
