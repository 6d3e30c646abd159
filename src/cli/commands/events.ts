import { Command } from "commander";
import { openRecording } from "../../lab/index.js";
import type { Io } from "../io.js";

export function eventsCommand(io: Io): Command {
  return new Command("events")
    .description(
      'One line an event, in the order of virtual time: {"at": ms, "channel": 3, "type": "mo_sms", "body": "as sent",\n' +
        '"attempts": [{"status": 200, "ms": 1.2}], "id": "3/17"}; `error` stands in place of `status` where there was no\n' +
        "answer. `id` is the channel and the event's number there. A copy also has `copyOf`, the id of its original, and\n" +
        "`copyCause`: why the service has the same text, call or outcome twice.",
    )
    .argument("<recording>", "file of the recording")
    .action((path: string) => {
      const recording = openRecording(path);
      try {
        for (const event of recording.events()) {
          const attempts = event.attempts.map(({ status, error, outcome, durationMs }) => {
            const ms = Math.round(durationMs * 1000) / 1000;
            return status === null ? { error: error ?? outcome, ms } : { status, ms };
          });
          const { atMs: at, channel, number, type, body, copy } = event;
          const origin = copy === null ? {} : { copyOf: `${channel}/${copy.of}`, copyCause: copy.cause };
          io.stdout.write(
            `${JSON.stringify({ at, channel, type, body, attempts, id: `${channel}/${number}`, ...origin })}\n`,
          );
        }
      } finally {
        recording.close();
      }
    });
}
