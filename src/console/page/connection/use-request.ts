import { useCallback, useEffect, useState } from "preact/hooks";
import { apiGet, labGet } from "./lab-client.js";
import { requestMoment } from "./moment.js";
import { type Requested, useAnswer } from "./use-answer.js";

interface Options {
  /** Milliseconds between repetitions; absent: it asks once. Hidden tabs do not ask. */
  readonly every?: number;
  /** Asks again when one of these changes. */
  readonly deps?: readonly unknown[];
  /** Of the REST API (`contacts.json`) instead of the control API (`/handsets`). */
  readonly isApi?: boolean;
}

/**
 * Asks for a path and keeps the answer: the control API's (`/people?search=am`), or the REST API's with `isApi`.
 * @param path - undefined: nothing is asked. Another path forgets the data of the one before.
 */
export function useRequest<T>(
  path: string | undefined,
  { every, deps = [], isApi = false }: Options = {},
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
      const asked = isApi ? apiGet<T>(path, { signal }) : labGet<T>(path, { signal });
      // The past does not change.
      if ((await keep(asked, atMs, signal)) && every !== undefined && atMs === undefined)
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
  }, [path, every, isApi, tries, atMs, ...deps]);
  return { ...answer, reload };
}
