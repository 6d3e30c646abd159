import { useState } from "preact/hooks";
import { MomentLeft, type RequestError, requestErrorOf } from "./lab-client.js";
import { isOfLostServer, isRefusal } from "./retry.js";
import { useShownMoment } from "./shown-moment.js";

/** State of a request. During a reload the old data stay. */
export interface Requested<T> {
  readonly data: T | undefined;
  /** Error of the last attempt; the data may be of an earlier one. */
  readonly error: RequestError | undefined;
  /** Whether there is neither data nor error yet. */
  readonly isLoading: boolean;
  /** Repeats the request now. */
  readonly reload: () => void;
}

/** State of the answer to a path, for `useRequest` and `useLive`; another path clears it. */
export function useAnswer<T>(path: string | undefined): Omit<Requested<T>, "reload"> & {
  /**
   * Keeps the answer. @param ofMs - the requested moment; undefined: now
   * @returns whether it may be asked again: not after `signal`, a refusal, or when the page has left the moment
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
  const error = isOfLostServer(own.error) ? undefined : own.error;
  useShownMoment(own.data === undefined ? "none" : own.ofMs);
  return {
    data: own.data,
    error,
    isLoading: path !== undefined && own.data === undefined && error === undefined,
    async keep(asked, ofMs, signal) {
      try {
        const data = await asked;
        if (!signal.aborted) setKept({ path, data, ofMs });
      } catch (failure) {
        if (failure instanceof MomentLeft) return false;
        const why = requestErrorOf(failure);
        if (!signal.aborted) setKept((before) => ({ ...(before.path === path && before), path, error: why }));
        if (isRefusal(why)) return false;
      }
      return !signal.aborted;
    },
  };
}
