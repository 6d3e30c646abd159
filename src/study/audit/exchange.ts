/** A request of a finding, as a user can send it again. */
export interface SentRequest {
  readonly body: string;
  /** What was special about it beside the body. */
  readonly note?: string;
}

/** What came for a request. */
export interface GotAnswer {
  /** Null: no answer. */
  readonly status: number | null;
  /** The begin of the answer's body, or why there is none. */
  readonly answer: string;
}

/** One request and its answer. */
export interface Exchange {
  readonly sent: SentRequest;
  /** Null: no answer came. */
  readonly status: number | null;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Why no answer came; undefined: one did. */
  readonly failure: string | undefined;
  /** Wall milliseconds. */
  readonly ms: number;
  /** `302 to /messages/7`: the answer is that of the page to which the receiver leads. */
  readonly via?: string;
}
