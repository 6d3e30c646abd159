/**
 * A table with some methods replaced; the others are those of the original. A copy by spreading would lose getters, and
 * the methods of a table that was extended before.
 */
export function withMethods<T extends object>(table: T, methods: Partial<T>): T {
  return Object.assign(Object.create(table) as T, methods);
}
