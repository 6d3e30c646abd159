/** An event: its channel and its number within the channel. */
export interface EventName {
  readonly channel: number;
  readonly number: number;
}

/** The event as one number, exact for channels below 2^21 and numbers below 2^32. */
export function eventKey({ channel, number }: EventName): number {
  return channel * 2 ** 32 + number;
}

/** The event's id, `3/17`. */
export function eventId({ channel, number }: EventName): string {
  return `${channel}/${number}`;
}
