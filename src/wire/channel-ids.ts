/** Size of a channel's range of message ids, and of call ids; the first id of a range is never used. */
export const idsPerChannel = 0x10_0000;

/** The id of a channel's n-th message or call, n from 1: channel × 2^20 + n. Messages and calls are counted apart. */
export function idWithin(channel: number, n: number): number {
  return channel * idsPerChannel + n;
}
