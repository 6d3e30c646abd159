/**
 * Trouble between the service and the receiver: what can happen to one request on its way, and its meaning. A closed
 * set; the ledger counts attempts that met trouble under these names.
 */
export const troubleKinds = {
  "answers-lost":
    "the receiver got the request, and its answer never reached the service, which waited for its timeout",
  "requests-lost": "the request never reached the receiver, and the service waited for its timeout",
  refused: "the connection was refused on the way",
  delay: "the request left later",
  "overtaken-by": "the request left after later events of its channel",
  copies: "the request was sent several times at once, on other connections",
  cut: "the connection was closed in the middle of the exchange",
  slow: "the bytes of the request arrived slowly",
} as const;

/** One of `troubleKinds`. */
export type TroubleKind = keyof typeof troubleKinds;

/** The kinds, in the order in which they are documented and listed. */
export const troubleNames = Object.keys(troubleKinds) as readonly TroubleKind[];

/** The kinds by which an attempt gets no answer. Where several meet one attempt, the first of these applies. */
export const losingTroubles = [
  "refused",
  "requests-lost",
  "cut",
  "answers-lost",
] as const satisfies readonly TroubleKind[];

/** A trouble by which an attempt gets no answer. */
export type LosingTrouble = (typeof losingTroubles)[number];

/** Where a connection closes: in the headers of the request, in its body, or at the first byte of the answer. */
export const cutPlaces = ["headers", "body", "answer"] as const;

/** One of `cutPlaces`. */
export type CutPlace = (typeof cutPlaces)[number];
