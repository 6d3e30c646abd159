/** One entry of a life, at an instant in virtual milliseconds. */
export interface LifeEntry {
  readonly atMs: number;
  /** How long it took; absent: an instant. */
  readonly forMs?: number;
  /**
   * A stable word: `text`, `call`, `received`, a kind of delay, `event`, `trouble`, `attempt`, `reply`, `queued`, `taken`,
   * `heard`, `lost`.
   */
  readonly kind: string;
  readonly text: string;
  /** Id of the event that it belongs to. */
  readonly event?: string;
  /** Number of the message that it belongs to. */
  readonly message?: number;
  /** Of an event that is a copy: the id of its original, and the cause. */
  readonly copyOf?: string;
  readonly copyCause?: string;
  /** The handset's channel. */
  readonly channel?: number;
  /** Number of the person. */
  readonly phone?: string;
  /** Of an attempt. */
  readonly try?: number;
  readonly status?: number | null;
  readonly outcome?: string;
  /** The event was sent again by hand. */
  readonly isByHand?: true;
}
