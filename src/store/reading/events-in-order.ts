/** What decides the place of an event: its first columns. */
type PlacedTuple = readonly [row: number, channel: number, number: number, atMs: number, ...rest: unknown[]];

/**
 * Events in the order (virtual time, channel, number). Rows are ordered by time, so lists of whole instants are sorted
 * separately. The last instant of a page may continue in the next page, so its events wait for that.
 *
 * @param pages - none of them empty
 * @param within - the order of the tuples of one event, where it has several
 */
export function* eventsInOrder<Tuple extends PlacedTuple>(
  pages: Iterable<readonly Tuple[]>,
  within: (a: Tuple, b: Tuple) => number = () => 0,
): Generator<Tuple[]> {
  const inOrder = (events: Tuple[]): Tuple[] =>
    events.sort((a, b) => a[3] - b[3] || a[1] - b[1] || a[2] - b[2] || within(a, b));
  let waiting: Tuple[] = [];
  for (const page of pages) {
    waiting = waiting.concat(page);
    const lastAtMs = waiting.at(-1)?.[3];
    const whole = waiting.splice(
      0,
      waiting.findIndex((event) => event[3] === lastAtMs),
    );
    if (whole.length > 0) yield inOrder(whole);
  }
  if (waiting.length > 0) yield inOrder(waiting);
}
