/** Selects measurements by event type and group of handsets; absent: any. */
export interface Tags {
  readonly type?: string;
  readonly group?: string;
}
