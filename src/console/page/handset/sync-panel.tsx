import type { HandsetDetails } from "../../protocol/index.js";
import { Badge, Facts } from "../design/index.js";
import { IsoTime, atMsOf } from "../domain/time.jsx";
import { formatDuration } from "../format/index.js";
import { capitalised, countWords, reasonWords } from "../phone/words.js";

/** The phone's syncs: the last one with its contents, the current one, the next one. */
export function SyncFacts({ handset }: { readonly handset: HandsetDetails }) {
  const { sync, service } = handset;
  const { current, last } = sync;
  return (
    <Facts
      facts={[
        [
          "Last sync",
          last === null ? (
            "None yet"
          ) : (
            <>
              <IsoTime iso={last.requested_at} />{" "}
              {last.failed_by === null ? (
                <Badge tone="good" icon="check">
                  {formatDuration(atMsOf(last.ended_at) - atMsOf(last.requested_at))}
                </Badge>
              ) : (
                <Badge tone="bad" icon="cross">
                  Failed
                </Badge>
              )}
            </>
          ),
        ],
        last !== null && [
          "Uploaded",
          last.failed_by === null || last.applied
            ? countWords(last.reports)
            : `${countWords(last.reports)}, without success`,
        ],
        last !== null &&
          last.failed_by === null && [
            "Downloaded",
            countWords({
              ...(last.acknowledged > 0 && { ack: last.acknowledged }),
              ...(last.offered_count > 0 && { message: last.offered_count }),
            }).replace(/(\d+) (ack|message)\b/g, (_, count: string, what: string) =>
              what === "ack"
                ? `${count} acknowledgement${count === "1" ? "" : "s"}`
                : `${count} message${count === "1" ? "" : "s"} to send`,
            ),
          ],
        last !== null &&
          last.failed_by !== null && [
            "Cause",
            `${capitalised(reasonWords(last.failed_by) ?? last.failed_by)}.${last.applied ? " The service has the reports; the phone sends them again." : ""}`,
          ],
        current !== null && [
          "Under way",
          <>
            Since <IsoTime iso={current.requested_at} />, with {countWords(current.reports)}
            {current.repeat && ", for the second time"}
          </>,
        ],
        [
          "Next",
          sync.pushed || sync.wanted ? (
            "As soon as possible"
          ) : sync.next_poll_at === null ? (
            "Not while the phone is off"
          ) : (
            <>
              Check at <IsoTime iso={sync.next_poll_at} />
            </>
          ),
        ],
        sync.put_off_by !== null && ["Delayed", `${capitalised(reasonWords(sync.put_off_by) ?? sync.put_off_by)}.`],
        sync.losing !== null && [
          "Will be lost",
          `The ${sync.losing.what === "request" ? "request" : "answer"} of the next ${sync.losing.times === 1 ? "sync" : `${sync.losing.times} syncs`}`,
        ],
        [
          "Last contact",
          service.has_synced ? (
            <>
              <IsoTime iso={service.last_seen_at} />: {service.power_level}%, {service.network_type}
            </>
          ) : (
            "Never"
          ),
        ],
        service.faults.length > 0 && [
          "Faults",
          <>
            {service.faults.map((fault) => (
              <Badge key={fault} tone="bad">
                {fault}
              </Badge>
            ))}
          </>,
        ],
        service.alarms.length > 0 && [
          "Alarms",
          <>
            {service.alarms.map((alarm) => (
              <Badge key={alarm} tone="bad" icon="alarm">
                {alarm === "silent" ? "Silent for too long" : "Low on power"}
              </Badge>
            ))}
          </>,
        ],
      ]}
    />
  );
}
