import { Badge, type IconName, type Tone } from "../design/index.js";

const looks: Readonly<Record<string, readonly [tone: Tone, icon: IconName, word: string]>> = {
  active: ["note", "play", "Active"],
  waiting: ["note", "clock", "Waiting"],
  completed: ["good", "check", "Completed"],
  complete: ["good", "check", "Complete"],
  interrupted: ["warning", "stop", "Interrupted"],
  expired: ["neutral", "clock", "Expired"],
  failed: ["bad", "cross", "Failed"],
  queued: ["note", "queue", "Queued"],
  pending: ["note", "clock", "Pending"],
  starting: ["note", "play", "Starting"],
  wired: ["note", "send", "Wired"],
  sent: ["good", "check", "Sent"],
  "broadcast sent": ["note", "queue", "Messages made"],
  delivered: ["good", "check", "Delivered"],
  handled: ["good", "check", "Handled"],
  errored: ["warning", "repeat", "Errored, will retry"],
  accepted: ["good", "check", "Accepted"],
  retried: ["warning", "repeat", "Failed, tried again"],
  gone: ["neutral", "minus", "Unsubscribed"],
  blocked: ["bad", "stop", "Blocked"],
  stopped: ["warning", "stop", "Stopped"],
};

/**
 * A status of a broadcast. The service sets `sent` as soon as each contact has a message, which may still wait on a
 * phone. So the badge says "Messages made".
 */
export function BroadcastBadge({ status }: { readonly status: string }) {
  return <StatusBadge status={status === "sent" ? "broadcast sent" : status} />;
}

/** A status of the service: colour, glyph and word. */
export function StatusBadge({ status }: { readonly status: string }) {
  const [tone, icon, word] = looks[status] ?? (["neutral", "dot", status] as const);
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
