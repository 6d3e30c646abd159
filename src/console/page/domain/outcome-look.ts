/** Words and icon of the outcome of an attempt or an event. */
export interface OutcomeLook {
  readonly word: string;
  readonly icon: "clock" | "check" | "repeat" | "cross" | "offline" | "minus" | "warning" | "dot";
  readonly tone: "note" | "good" | "warning" | "bad" | "neutral";
  readonly about: string;
}

/** The outcome of an attempt, or of the last attempt of an event. */
export interface ShownOutcome {
  /** One of the outcomes of `/lab/events`. */
  readonly outcome: string;
  /** Reason why there is no answer. */
  readonly error?: string | null;
  /** The next attempt: was made, is due, or does not follow. Absent: unknown. */
  readonly next?: "made" | "due" | "none";
  /** Reason why the service ignored the answer. */
  readonly ignored?: string | null;
}

/** By outcome, in the order of the filter. */
export const outcomeLooks: Readonly<Record<string, OutcomeLook>> = {
  waiting: { word: "No answer yet", icon: "clock", tone: "note", about: "The first attempt is under way." },
  accepted: { word: "Accepted", icon: "check", tone: "good", about: "The receiver answered with a success." },
  retried: { word: "Will retry", icon: "repeat", tone: "warning", about: "The attempt failed; another one is due." },
  refused: { word: "Refused", icon: "cross", tone: "bad", about: "The service does not try again after this answer." },
  failed: { word: "Failed", icon: "cross", tone: "bad", about: "The last attempt was not accepted." },
  timeout: { word: "Timed out", icon: "clock", tone: "bad", about: "The receiver did not answer in time." },
  connection: { word: "No answer", icon: "offline", tone: "bad", about: "The exchange broke before an answer." },
  nowhere: {
    word: "Not sent",
    icon: "minus",
    tone: "neutral",
    about: "Its channel has no delivery URL, or does not forward this type.",
  },
};

/** Outcomes of attempts that were not accepted, for the filter of the log. */
export const failedOutcomes = "retried,refused,failed,timeout,connection";

/**
 * Causes of a broken exchange, by code (docs/delivery.md#the-http-client). With the first cause, the receiver got
 * nothing.
 */
const breaks: readonly (readonly [codes: RegExp, word: string, about: string])[] = [
  [/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH)$/, "No connection", "The receiver could not be reached."],
  [
    /^(no-answer|ECONNRESET|EPIPE)$/,
    "No answer",
    "The receiver closed the connection without an answer: it may have the event.",
  ],
  [
    /^incomplete-answer$/,
    "Cut answer",
    "The receiver closed the connection in the middle of its answer: it may have the event.",
  ],
  [/^HPE_/, "Not HTTP", "The answer was not valid HTTP: the receiver may have the event."],
  [
    /^(ERR_(TLS|SSL)_|DEPTH_ZERO|UNABLE_TO_VERIFY)/,
    "TLS failed",
    "The certificate is not trusted, or the handshake failed.",
  ],
  [/redirect/, "Bad redirect", "The receiver redirected to an address that the service does not follow."],
  [/^(bad-url|host-not-allowed)$/, "Not sent", "The address is not valid, or its host is not allowed."],
];

export function lookOfOutcome({ outcome, error = null, next, ignored = null }: ShownOutcome): OutcomeLook {
  const plain = outcomeLooks[outcome] ?? { word: outcome, icon: "dot", tone: "neutral", about: "" };
  if (outcome === "accepted" && ignored !== null) {
    return {
      word: "Answer ignored",
      icon: "warning",
      tone: "warning",
      about: `Accepted, but the service ignored the answer: ${ignored}.`,
    };
  }
  if (outcome === "retried" && next === "made")
    return { ...plain, word: "Retried", about: "The attempt failed, and another one followed." };
  if (outcome === "retried" && next === "none") {
    return {
      ...plain,
      word: "Not retried",
      icon: "cross",
      tone: "bad",
      about: "The attempt failed, and the lab ended before the next one.",
    };
  }
  const broken = outcome === "connection" ? breaks.find(([codes]) => codes.test(error ?? "")) : undefined;
  const look = broken === undefined ? plain : { ...plain, word: broken[1], about: broken[2] };
  if (next !== "due" || (outcome !== "connection" && outcome !== "timeout")) return look;
  return { ...look, icon: "repeat", tone: "warning", about: `${look.about} Another attempt is due.` };
}
