import { Command } from "commander";
import type { OnProgress } from "../../base/index.js";
import { EventFilter, type EventFilterOptions, filteredEvents } from "../../inspect/index.js";
import { openRecording, type RecordedEvent } from "../../store/index.js";
import { isForwarded, parseForm, redactedUrl } from "../../wire/index.js";
import { eventFiltersIn, withEventFilters } from "../options/event-filter-options.js";
import type { Io } from "../terminal/io.js";
import { showingProgress } from "../terminal/operation-line.js";

/** Lines per write. */
const LINES = 200;

export function eventsCommand(io: Io): Command {
  const command = new Command("events")
    .description(
      'One line an event, in the order of virtual time: {"at": ms, "channel": 3, "type": "mo_sms", "body": "as sent",\n' +
        '"attempts": [{"status": 200, "ms": 1.2}], "id": "3/17"}; `error` stands in place of `status` where there was no\n' +
        "answer. `id` is the channel and the event's number there. A copy also has `copyOf`, the id of its original, and\n" +
        "`copyCause`: why the service has the same text, call or outcome twice. `notForwarded` is true where there is no attempt\n" +
        "because the account does not forward the type. `handset` is the handset's name, `fields` the body decoded. Of an attempt: `try`, `outcome`, `due` and `effect` in virtual ms, `sentMs` and `answeredMs` in\n" +
        "wall ms since the run's sender began (null: never written), `url` where it was sent, `byHand` (true) where it was sent again by hand, `answer` the body as far as it\n" +
        "was kept.",
    )
    .argument("<recording>", "file of the recording");
  return withEventFilters(command).action(async (path: string, flags: EventFilterOptions) => {
    const recording = openRecording(path);
    try {
      const filters = eventFiltersIn(flags);
      const filter = filters === undefined ? undefined : new EventFilter(recording, filters);
      const channels = new Map(Array.from(recording.channels(), (channel) => [channel.id, channel]));
      const byHand = recording.triesByHand();
      let lines = "";
      let count = 0;
      const total = recording.lastRowOf("event");
      const writeEvents = async (onProgress?: OnProgress): Promise<void> => {
        for (const event of filter === undefined ? recording.events() : filteredEvents(recording, filter)) {
          lines += `${JSON.stringify(lineOf(event, { handset: channels.get(event.channel), byHand }))}\n`;
          if (++count % LINES !== 0) continue;
          io.stdout.write(lines);
          lines = "";
          onProgress?.({ operation: "reading events", done: event.row, total });
          await io.stdout.drained?.();
        }
      };
      // Lines on a terminal are progress enough.
      if (io.stdout.isTTY) await writeEvents();
      else await showingProgress(io.stderr, writeEvents);
      if (lines !== "") io.stdout.write(lines);
      if (count === 0 && filter !== undefined) io.stderr.write("handset: no event matches the filters\n");
    } finally {
      recording.close();
    }
  });
}

interface HandsetFacts {
  readonly name: string;
  readonly forwards?: readonly string[];
}

function lineOf(
  event: RecordedEvent,
  { handset, byHand }: { readonly handset: HandsetFacts | undefined; readonly byHand: ReadonlySet<string> },
): Record<string, unknown> {
  const { atMs: at, channel, number, type, body, copy, attempts } = event;
  const id = `${channel}/${number}`;
  return {
    at,
    channel,
    type,
    body,
    attempts: attempts.map((attempt) => ({
      ...attemptOf(attempt),
      ...(byHand.has(`${id} ${attempt.try}`) && { byHand: true }),
    })),
    id,
    ...(copy !== null && { copyOf: `${channel}/${copy.of}`, copyCause: copy.cause }),
    ...(attempts.length === 0 && !isForwarded(type, handset?.forwards) && { notForwarded: true }),
    handset: handset?.name ?? null,
    fields: Object.fromEntries(parseForm(body)),
  };
}

function attemptOf(attempt: RecordedEvent["attempts"][number]): Record<string, unknown> {
  const { status, error, outcome, durationMs, dueAtMs, effectAtMs, sentWallMs, url, body } = attempt;
  const ms = rounded(durationMs);
  return {
    ...(status === null ? { error: error ?? outcome, ms } : { status, ms }),
    try: attempt.try,
    outcome,
    due: dueAtMs,
    effect: effectAtMs,
    sentMs: sentWallMs === null ? null : rounded(sentWallMs),
    answeredMs: sentWallMs === null || status === null ? null : rounded(sentWallMs + durationMs),
    ...(url !== null && { url: redactedUrl(url) }),
    ...(body !== null && { answer: Buffer.from(body).toString() }),
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
