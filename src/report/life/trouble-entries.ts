import { eventId } from "../../measure/index.js";
import type { TroubleRow } from "../../store/index.js";
import { readableDuration } from "../number-format.js";
import type { LifeEntry } from "./life-entry.js";

/** What the attempts at an event met on their way to the receiver. */
export function troubleEntries(troubles: readonly TroubleRow[]): LifeEntry[] {
  return troubles.map((trouble) => ({
    atMs: trouble.atMs,
    kind: "trouble",
    text: `trouble on the way to the receiver, at try ${trouble.try}: ${troubleText(trouble)}`,
    event: eventId(trouble),
    channel: trouble.channel,
    try: trouble.try,
  }));
}

function troubleText({ kind, value }: TroubleRow): string {
  switch (kind) {
    case "answers-lost":
      return "the answer gets lost";
    case "requests-lost":
      return "the request gets lost";
    case "refused":
      return "the connection is refused";
    case "delay":
      return `the request leaves ${readableDuration(Number.parseInt(value, 10))} later`;
    case "overtaken-by":
      return `the request waits until later events have left: ${value}`;
    case "copies":
      return `the request is sent ${value} times at once`;
    case "cut":
      return `the connection is cut in the ${value}`;
    case "slow":
      return `the request arrives slowly, at ${value}`;
    default:
      return kind satisfies never;
  }
}
