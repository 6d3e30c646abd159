/** Rows to search in each direction for a row that has moved. */
const NEAR = 1000;

/** The row on which the keys of a list act. */
export interface ListCursor {
  readonly index: number;
  /** undefined: the row was not loaded yet. */
  readonly key: string | number | undefined;
}

/**
 * Moves the cursor to the new index of its row after rows were added, removed or reordered. If the row is not found,
 * the cursor keeps its index.
 *
 * @param keyAt - the key of the row at an index; undefined: there is none, or it is loading
 */
export function followRow(
  cursor: ListCursor,
  { count, keyAt }: { readonly count: number; readonly keyAt: (index: number) => string | number | undefined },
): ListCursor {
  if (cursor.key === undefined) {
    const key = keyAt(cursor.index);
    return key === undefined ? cursor : { ...cursor, key };
  }
  for (let distance = 0; distance <= NEAR; distance++) {
    for (const index of [cursor.index + distance, cursor.index - distance]) {
      if (index < 0 || index >= count || keyAt(index) !== cursor.key) continue;
      return index === cursor.index ? cursor : { ...cursor, index };
    }
  }
  return cursor.index < count ? cursor : { index: count - 1, key: undefined };
}
