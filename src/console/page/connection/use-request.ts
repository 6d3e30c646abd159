import { useCallback, useEffect, useState } from "preact/hooks";
import { apiGet, labGet, MomentLeft, RequestError } from "./lab-client.js";
import { requestMoment } from "./moment.js";
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
  const [state, setState] = useState<{
    readonly path?: string | undefined;
    readonly data?: T;
    /** The moment of the data; undefined: now. */
    readonly ofMs?: number | undefined;
    readonly error?: RequestError;
  }>({});
  const [tries, setTries] = useState(0);
  // The answers of another moment are other answers.
  const atMs = requestMoment.value;
  const reload = useCallback(() => setTries((before) => before + 1), []);
  useEffect(() => {
    if (path === undefined) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const data = await (isApi
          ? apiGet<T>(path, { signal: stop.signal })
          : labGet<T>(path, { signal: stop.signal }));
        if (!stop.signal.aborted) setState({ path, data, ofMs: atMs });
      } catch (error) {
        if (stop.signal.aborted || error instanceof MomentLeft) return;
        const failure = error instanceof RequestError ? error : new RequestError(String(error), 0);
        setState((before) => ({ ...(before.path === path && before), path, error: failure }));
      }
      // The past does not change.
      if (every !== undefined && atMs === undefined && !stop.signal.aborted) timer = setTimeout(askIfSeen, every);
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
  const own = state.path === path ? state : {};
  useShownMoment(own.data === undefined ? "none" : own.ofMs);
  return {
    data: own.data,
    error: own.error,
    isLoading: path !== undefined && own.data === undefined && own.error === undefined,
    reload,
  };
}
