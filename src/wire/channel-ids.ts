/** Ids of messages (and of calls) that one channel can give out, 0 included, which none has. */
export const idsPerChannel = 0x10_0000;

/** The id of a channel's n-th message or call, n from 1: channel × 2^20 + n. Messages and calls are counted apart. */
export function idWithin(channel: number, n: number): number {
  return channel * idsPerChannel + n;
}
