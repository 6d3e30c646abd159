import { useCallback, useEffect, useState } from "preact/hooks";
import type { ReadOf, ReadUrl } from "../../protocol/index.js";
import { apiGet, labGet } from "./lab-client.js";
import { requestMoment } from "./moment.js";
import { type Requested, useAnswer } from "./use-answer.js";

interface Options {
  /** Milliseconds between repetitions; absent: it asks once. Hidden tabs do not ask. */
  readonly every?: number;
  /** Asks again when one of these changes. */
  readonly deps?: readonly unknown[];
}

/**
 * Asks the control API for a path (`/people?search=am`) and keeps the answer.
 * @param path - undefined: nothing is asked. Another path forgets the data of the one before.
 */
export function useRequest<U extends ReadUrl>(path: U | undefined, options: Options = {}): Requested<ReadOf<U>> {
  return useAsked(path, labGet<U>, options);
}

/** Asks the REST API for a path (`contacts.json`) and keeps the answer, as `useRequest` does. */
export function useApiRequest<T>(path: string | undefined, options: Options = {}): Requested<T> {
  return useAsked(path, apiGet<T>, options);
}

/** @param get - always the same function for one caller */
function useAsked<U extends string, T>(
  path: U | undefined,
  get: (path: U, options: { readonly signal: AbortSignal }) => Promise<T>,
  { every, deps = [] }: Options,
): Requested<T> {
  const { keep, ...answer } = useAnswer<T>(path);
  const [tries, setTries] = useState(0);
  // The answers of another moment are other answers.
  const atMs = requestMoment.value;
  const reload = useCallback(() => setTries((before) => before + 1), []);
  useEffect(() => {
    if (path === undefined) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      const { signal } = stop;
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
