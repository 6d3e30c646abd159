/**
 * What decides when the next attempt is sent. `open`: the schedule, however many attempts are unanswered; `closed`: a
 * free connection, so a slow receiver gets less load; `lockstep`: virtual time, which waits for the answers.
 */
export type LoadModel = "open" | "closed" | "lockstep";

/** The load model of a run's pace. */
export function loadModelOfPace(pace: "lockstep" | "paced" | "max"): LoadModel {
  switch (pace) {
    case "lockstep":
      return "lockstep";
    case "paced":
      return "open";
    case "max":
      return "closed";
  }
}
