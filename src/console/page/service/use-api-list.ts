import { useEffect, useRef, useState } from "preact/hooks";
import { useApiRequest } from "../connection/use-request.js";
import type { RequestError } from "../connection/lab-client.js";
import type { ListUrl, RecordAt } from "../../protocol/index.js";

/** Records on a page of the REST API. */
export const PAGE_SIZE = 250;
/** Polling interval of the shown page, in milliseconds. */
const REFRESH_MS = 3000;

export interface ApiList<Row> {
  readonly rows: readonly Row[];
  /** New records at the top that are not shown yet, because the user is working in the list. */
  readonly fresh: number;
  readonly showFresh: () => void;
  readonly isLoading: boolean;
  readonly error: RequestError | undefined;
  readonly reload: () => void;
  /** From 0. */
  readonly page: number;
  readonly onNext: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
  /** The request of the page, below `/api/v2/`. */
  readonly path: string;
}

/**
 * A list of the REST API, page by page. The page is polled: known rows change in place. While `isHeld`, new rows wait,
 * so that rows do not move under the pointer.
 */
export function useApiList<U extends ListUrl>(
  path: U,
  { keyOf, isHeld }: { readonly keyOf: (row: RecordAt<U>) => string | number; readonly isHeld: () => boolean },
): ApiList<RecordAt<U>> {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  // Another list begins at its first page.
  const listed = useRef(path);
  if (listed.current !== path) {
    listed.current = path;
    if (cursors.length > 0) setCursors([]);
  }
  const cursor = cursors.at(-1);
  const rest = cursor === undefined ? "" : `${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
  // Another page of the same list.
  const asked = `${path}${rest}` as U;
  const { data, error, isLoading, reload } = useApiRequest(asked, { every: REFRESH_MS });
  const [order, setOrder] = useState<{ readonly path: string; readonly keys: readonly (string | number)[] }>();
  const held = useRef(isHeld);
  held.current = isHeld;
  useEffect(() => {
    if (data === undefined) return;
    setOrder((before) =>
      before?.path === asked && before.keys.length > 0 && held.current()
        ? before
        : { path: asked, keys: data.results.map(keyOf) },
    );
  }, [data, asked]);

  const results = data?.results ?? [];
  const byKey = new Map(results.map((row) => [keyOf(row), row]));
  const keys = order?.path === asked ? order.keys : results.map(keyOf);
  const shown = new Set(keys);
  const next = cursorOf(data?.next);
  return {
    rows: keys.flatMap((key) => byKey.get(key) ?? []),
    fresh: results.filter((row) => !shown.has(keyOf(row))).length,
    showFresh: () => setOrder({ path: asked, keys: results.map(keyOf) }),
    isLoading,
    error,
    reload,
    page: cursors.length,
    onNext: next === undefined ? undefined : () => setCursors([...cursors, next]),
    onPrevious: cursors.length === 0 ? undefined : () => setCursors(cursors.slice(0, -1)),
    path: asked,
  };
}

function cursorOf(next: string | null | undefined): string | undefined {
  if (next === null || next === undefined || !URL.canParse(next)) return undefined;
  return new URL(next).searchParams.get("cursor") ?? undefined;
}
