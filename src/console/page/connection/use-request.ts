import { useCallback, useEffect, useState } from "preact/hooks";
import type { ListUrl, ReadOf, ReadUrl, RecordAt, RecordPage } from "../../protocol/index.js";
import { apiGet, labGet } from "./lab-client.js";
import { requestMoment } from "./moment.js";
import { whenServerIsBack } from "./retry.js";
import { type Requested, useAnswer } from "./use-answer.js";

interface Options {
  /** Polling interval in milliseconds; absent: one request. Hidden tabs do not poll. */
  readonly every?: number;
  /** Repeats the request when one of these changes. */
  readonly deps?: readonly unknown[];
}

/**
 * Requests a path of the control API (`/people?search=am`) and keeps the answer.
 * @param path - undefined: no request. Another path clears the data of the previous one.
 */
export function useRequest<U extends ReadUrl>(path: U | undefined, options: Options = {}): Requested<ReadOf<U>> {
  return useAsked(path, labGet<U>, options);
}

/** As `useRequest`, for a path of the REST API (`contacts.json`). */
export function useApiRequest<U extends ListUrl>(
  path: U | undefined,
  options: Options = {},
): Requested<RecordPage<RecordAt<U>>> {
  return useAsked(path, apiGet<U>, options);
}

/** @param get - always the same function for one caller */
function useAsked<U extends string, T>(
  path: U | undefined,
  get: (path: U, options: { readonly signal: AbortSignal }) => Promise<T>,
  { every, deps = [] }: Options,
): Requested<T> {
  const { keep, ...answer } = useAnswer<T>(path);
  const [tries, setTries] = useState(0);
  // Answers depend on the moment.
  const atMs = requestMoment.value;
  const reload = useCallback(() => setTries((before) => before + 1), []);
  useEffect(() => {
    if (path === undefined) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      const { signal } = stop;
      await whenServerIsBack(signal);
      if (signal.aborted) return;
      // The past does not change.
      if ((await keep(get(path, { signal }), atMs, signal)) && every !== undefined && atMs === undefined)
        timer = setTimeout(askIfSeen, every);
    };
    const askIfSeen = (): void => {
      if (document.hidden)
        document.addEventListener("visibilitychange", askIfSeen, { once: true, signal: stop.signal });
      else void ask();
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [path, every, tries, atMs, ...deps]);
  return { ...answer, reload };
}
