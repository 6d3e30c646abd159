/** What is meant of all that is measured: events of a type, handsets of a group; absent: any. */
export interface Tags {
  readonly type?: string;
  readonly group?: string;
}
