/** What `GET /lab/chain` answers. */
export interface Chain {
  readonly id: string;
  readonly kind: "incoming" | "outgoing" | "alone";
  readonly about: string;
  readonly headline: readonly string[];
  readonly steps: readonly ChainStep[];
  readonly events: readonly ChainEvent[];
  readonly events_left_out: number;
  readonly messages: readonly ChainMessage[];
}

export interface PersonName {
  readonly selector: string | null;
  readonly phone: string;
  readonly name: string | null;
}

export interface ChainStep {
  readonly kind: string;
  readonly text: string;
  readonly at_ms: number;
  readonly for_ms: number | null;
  readonly event: string | null;
  readonly message: number | null;
  readonly handset: string | null;
  readonly person: PersonName | null;
  readonly try: number | null;
  readonly copy_of: string | null;
  readonly copy_why: string | null;
  readonly by_hand: boolean;
}

export interface ChainEvent {
  readonly id: string;
  readonly type: string;
  readonly at_ms: number;
  readonly handset: string;
  readonly person: PersonName | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly request_body: string;
  readonly copy: {
    readonly of: string;
    readonly cause: string;
    readonly why: string;
    readonly differs: readonly {
      readonly field: string;
      readonly original: string | null;
      readonly copy: string | null;
    }[];
  } | null;
  readonly copies: readonly string[];
  /** The service still makes attempts at it. */
  readonly is_open: boolean;
  readonly attempts: readonly ChainAttempt[];
  readonly reply: {
    readonly kind: "valid" | "ignored";
    readonly reason: string | null;
    readonly detail: string | null;
  } | null;
  readonly messages: readonly number[];
}

export interface Header {
  readonly name: string;
  readonly value: string;
}

export interface ChainAttempt {
  readonly try: number;
  readonly wall_at: string | null;
  readonly duration_ms: number;
  readonly outcome: string;
  readonly by_hand: boolean;
  readonly is_repeat: boolean;
  readonly redirects: readonly string[];
  readonly request: {
    readonly method: string;
    readonly url: string | null;
    readonly headers: readonly Header[];
    readonly body: string;
  };
  readonly response: {
    readonly status: number | null;
    readonly error: string | null;
    readonly headers: readonly Header[];
    readonly body: string | null;
    readonly body_bytes: number;
    /** The body is a dump of its first bytes. */
    readonly is_binary: boolean;
    readonly is_cut: boolean;
  };
  readonly curl: string | null;
}

export interface ChainMessage {
  readonly id: number;
  readonly text: string;
  readonly status: string;
  readonly handset: string;
  readonly person: PersonName;
}
