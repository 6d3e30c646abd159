import { Command } from "commander";
import { EventFilter } from "../../inspect/index.js";
import { eventLines } from "../../report/index.js";
import { openRecording } from "../../store/index.js";
import { type EventFilterFlags, eventFiltersIn, withEventFilters } from "../options/event-filter-options.js";
import { type Io, writeBytes } from "../terminal/io.js";
import { showingProgress } from "../terminal/operation-line.js";

export function eventsCommand(io: Io): Command {
  const command = new Command("events")
    .description(
      "Prints the events of a recording in the order of virtual time, a JSON line each:\n\n" +
        '  {"at": 61200, "channel": 3, "type": "mo_sms", "body": "as sent",\n' +
        '   "attempts": [{"status": 200, "ms": 1.2}], "id": "3/17"}\n\n' +
        "An event: `at` virtual ms; `id` channel and number of the event there; `handset` the handset's name; `fields` " +
        "the decoded body; `copyOf` the id of the original of a copy; `copyCause` why the service has the same text, call " +
        "or outcome twice; `notForwarded` true if there is no attempt because the account does not forward the type.\n" +
        "An attempt: `status`, or `error` if there was no answer; `try`, `outcome`; `due` and `effect` in virtual ms; " +
        "`sentMs` and `answeredMs` in wall ms since the sender started (null: never written); `url` its address; `byHand` " +
        "true if a user sent it again; `answer` the recorded part of the answer's body.",
    )
    .argument("<recording>", "file of the recording");
  return withEventFilters(command).action(async (path: string, flags: EventFilterFlags) => {
    await showingProgress(io, async (onProgress, { stdout, stderr }) => {
      const recording = openRecording(path, { onProgress });
      try {
        const filters = eventFiltersIn(flags);
        const selection = filters === undefined ? undefined : new EventFilter(recording, filters).selection;
        let isAny = false;
        for (const lines of eventLines(recording, selection)) {
          isAny = true;
          writeBytes(stdout, lines);
          await stdout.drained?.();
        }
        if (!isAny && selection !== undefined) stderr.write("handset: no event matches the filters\n");
      } finally {
        recording.close();
      }
    });
  });
}
