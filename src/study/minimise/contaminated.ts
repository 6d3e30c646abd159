/** Thrown when a trial shows what earlier trials left behind in the receiver. Its message is a clause that says what showed it. */
export class Contaminated extends Error {}
