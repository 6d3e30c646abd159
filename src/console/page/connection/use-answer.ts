import { useState } from "preact/hooks";
import { MomentLeft, type RequestError, requestErrorOf } from "./lab-client.js";
import { useShownMoment } from "./shown-moment.js";

/** What is known of a request. A reload keeps the data that it replaces. */
export interface Requested<T> {
  readonly data: T | undefined;
  /** Why the last try failed; the data may be of a try before. */
  readonly error: RequestError | undefined;
  /** There is no data and no error yet. */
  readonly isLoading: boolean;
  /** Asks again now. */
  readonly reload: () => void;
}

/** The answer to a path as `useRequest` and `useLive` keep it; another path forgets it. */
export function useAnswer<T>(path: string | undefined): Omit<Requested<T>, "reload"> & {
  /**
   * Keeps what is answered. @param ofMs - the moment that is asked for; undefined: now
   * @returns whether the answer still counts: not after `signal`, or when the page has left the moment
   */
  readonly keep: (asked: Promise<T>, ofMs: number | undefined, signal: AbortSignal) => Promise<boolean>;
} {
  const [kept, setKept] = useState<{
    readonly path?: string | undefined;
    readonly data?: T;
    readonly ofMs?: number | undefined;
    readonly error?: RequestError;
  }>({});
  const own = kept.path === path ? kept : {};
  useShownMoment(own.data === undefined ? "none" : own.ofMs);
  return {
    data: own.data,
    error: own.error,
    isLoading: path !== undefined && own.data === undefined && own.error === undefined,
    async keep(asked, ofMs, signal) {
      try {
        const data = await asked;
        if (!signal.aborted) setKept({ path, data, ofMs });
      } catch (failure) {
        if (failure instanceof MomentLeft) return false;
        const error = requestErrorOf(failure);
        if (!signal.aborted) setKept((before) => ({ ...(before.path === path && before), path, error }));
      }
      return !signal.aborted;
    },
  };
}
