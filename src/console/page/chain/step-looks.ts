import type { IconName, Tone } from "../design/index.js";

/** Word and icon of a kind of step. */
export interface StepLook {
  readonly word: string;
  readonly icon: IconName;
  readonly tone: Tone;
}

const looks: Readonly<Record<string, StepLook>> = {
  text: { word: "Text sent", icon: "message", tone: "neutral" },
  call: { word: "Call", icon: "call", tone: "neutral" },
  received: { word: "On the phone", icon: "phone", tone: "neutral" },
  event: { word: "Event", icon: "server", tone: "note" },
  attempt: { word: "Attempt", icon: "upload", tone: "neutral" },
  reply: { word: "Answer", icon: "application", tone: "warning" },
  queued: { word: "Message queued", icon: "queue", tone: "note" },
  taken: { word: "Taken by the phone", icon: "phone", tone: "neutral" },
  heard: { word: "Read", icon: "person", tone: "good" },
  lost: { word: "Lost", icon: "cross", tone: "bad" },
  failed: { word: "Failed", icon: "cross", tone: "bad" },
  "held-by-carrier": { word: "Delay", icon: "clock", tone: "warning" },
  "held-by-service": { word: "Delay", icon: "clock", tone: "warning" },
  "held-by-phone": { word: "Delay", icon: "clock", tone: "warning" },
  "waited-for-sync": { word: "Waits for a sync", icon: "clock", tone: "neutral" },
  "sync-failed": { word: "Sync lost", icon: "warning", tone: "warning" },
  outbox: { word: "Waits for the radio", icon: "clock", tone: "neutral" },
  "radio-failed": { word: "Radio refuses", icon: "warning", tone: "warning" },
};

/** The look of a step. Copies and attempts that were not accepted are marked as findings. */
export function lookOf(step: { readonly kind: string; readonly copy_of: string | null }): StepLook {
  if (step.copy_of !== null) return { word: "Copy", icon: "copy", tone: "warning" };
  return looks[step.kind] ?? { word: step.kind, icon: "dot", tone: "neutral" };
}

/** Indents a text if it is JSON. */
export function prettyBody(body: string): string {
  if (!/^\s*[[{]/.test(body)) return body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
