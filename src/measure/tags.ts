/** Selects measurements by event type and group of handsets; absent: any. */
export interface Tags {
  readonly type?: string;
  readonly group?: string;
}

/** The group in a handset's selector: `clinic` of `clinic/3`. */
export function groupOf(selector: string): string {
  const slash = selector.indexOf("/");
  return slash < 0 ? selector : selector.slice(0, slash);
}
