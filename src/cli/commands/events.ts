import { Command } from "commander";
import { EventFilter, type EventFilterOptions } from "../../inspect/index.js";
import { eventLines } from "../../report/index.js";
import { openRecording } from "../../store/index.js";
import { eventFiltersIn, withEventFilters } from "../options/event-filter-options.js";
import { type Io, writeBytes } from "../terminal/io.js";
import { showingProgress } from "../terminal/operation-line.js";

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
