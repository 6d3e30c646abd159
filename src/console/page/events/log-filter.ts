/** Names of the log's filters in the address and in requests. */
export const filterNames = [
  "type",
  "copies",
  "affected",
  "outcome",
  "status",
  "of",
  "person",
  "contains",
  "before",
] as const;
export type FilterName = (typeof filterNames)[number];
export type LogFilter = Readonly<Partial<Record<FilterName, string>>>;

/** Reads the filters of an address, and ignores other parameters. */
export function filterIn(query: URLSearchParams): LogFilter {
  const found: Partial<Record<FilterName, string>> = {};
  for (const name of filterNames) {
    const value = query.get(name);
    if (value !== null && value !== "") found[name] = value;
  }
  return found;
}

/** The filters as the parameters of a request. */
export function filterQuery(filter: LogFilter): string {
  return new URLSearchParams({ ...filter }).toString();
}

export const isEmpty = (filter: LogFilter): boolean => Object.keys(filter).length === 0;
