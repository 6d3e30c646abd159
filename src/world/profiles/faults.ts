/**
 * Faults of real relayer apps, each switchable by name, and what each does. They follow from reading the apps' code
 * (docs/reference/handset.md#fault-names), so profile `plain` has none of them.
 */
export const faults = {
  "early-sent":
    "A message that the radio has not answered counts as sent at a pass that comes 86.4 s after the phone got it, or later.",
  "callbacks-lost":
    "The radio's answers that come while the phone is off, or the app paused or stopped, are never heard, nor delivery reports of messages sent before a switch-off; the message stays pending.",
  "delivered-per-part":
    "The app reports each delivery of a part of a long text, where the network does; without the fault it waits for the first only.",
  "failed-resend":
    "A failed message that the service offers again starts as a new row while its old row stays listed under retry.",
  "regress-after-delivered":
    "The ack of a sent report makes the phone forget that the message was delivered, so if it is offered again, it is reported as sent only.",
  "inbox-mark":
    "Texts whose phone time is not later than the newest one read are never relayed; a clock set back loses texts.",
  "call-log-newest-only": "Of several unread calls only the newest is reported; the others are skipped forever.",
  "call-log-repeats": "After a restart the newest call is reported again.",
  "call-log-observers":
    "Each opening of the app adds an observer of the call log, and each observer reports each call; a restart ends them.",
  "no-mt-miss": "An outgoing call that nobody answers is reported as mt_call of 0 s, as real phones did.",
  "stale-after-reboot":
    "After a reboot or a stop of the app the phone reports the battery and network that it last stored until the app is opened.",
  "unopened-after-reboot":
    "After a reboot or a stop the app answers pushes only, until it is opened: it polls, sends and relays nothing.",
  "answer-late":
    "Each answer of the service is applied one sync late, also when that sync fails: its acks then hit reports that the service never got, which are lost. The first sync after a start is posted twice.",
  "resets-when-refused":
    "When the service refuses a sync because of the phone's clock, the app empties its table, forgets its registration and registers again.",
  "retired-push":
    "The app knows only the push system of before 2019: no push reaches it, and when it registers again, the service gives it no id, so it registers at each trigger.",
  "ids-32-bit": "The app keeps ids of messages in 32 bits: those above 2147483647 are reported as negative numbers.",
  "packs-uncounted": "The main app is no package to send through: with one pack nothing is ever sent.",
} as const;

/** The name of a fault. */
export type Fault = keyof typeof faults;
