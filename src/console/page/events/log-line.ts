/** One line of `GET /lab/events?brief=true`. */
export interface LogLine {
  readonly id: string;
  readonly row: number;
  readonly channel: number;
  readonly handset: string;
  readonly at: string;
  readonly type: string;
  readonly outcome: string;
  readonly person: { readonly selector: string | null; readonly phone: string; readonly name: string | null } | null;
  readonly text: string | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly is_open: boolean;
  readonly ignored: string | null;
  readonly duration_ms: number | null;
  readonly tries: number;
  readonly copy_of: string | null;
}

/** A page of the log. */
export interface LogPage {
  readonly next: number | null;
  readonly previous: number | null;
  readonly total: number;
  readonly searched: number;
  /** Attempts that the page knows. */
  readonly attempts: number;
  readonly results: readonly LogLine[];
}

/** Whether the line may still change: its delivery is not over. */
export function isOpen(line: LogLine): boolean {
  return line.is_open;
}
