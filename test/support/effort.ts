/** Whether the randomized and the long tests play all of their cases: `npm run test:nightly`. */
export const isNightly = process.env["NIGHTLY"] === "1";

/**
 * Number of cases of a randomized or repeated test.
 *
 * @param suite - in `npm test`
 * @param nightly - in `npm run test:nightly`; default: ten times as many
 */
export function runs(suite: number, nightly: number = suite * 10): number {
  return isNightly ? nightly : suite;
}
