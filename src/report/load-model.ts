/**
 * How attempts follow one another. `open`: by a schedule, however many are unanswered; `closed`: as fast as answers make
 * room, so that a slow receiver is asked less; `lockstep`: virtual time waits for answers.
 */
export type LoadModel = "open" | "closed" | "lockstep";
