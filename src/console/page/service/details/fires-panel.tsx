import { clock } from "../../connection/state.js";
import { useApiRequest, useRequest } from "../../connection/use-request.js";
import { DataTable, EmptyState, ErrorNote, Loading, Panel } from "../../design/index.js";
import { formatCount, formatDistance } from "../../format/index.js";
import { atMsOf, IsoTime } from "../../domain/time.jsx";
import { linkToService } from "../links.js";
import type { FireList } from "../../../protocol/index.js";
import { eventWords } from "./event-words.js";

type Fire = FireList["results"][number];

/** Due and past fires of a contact or of a campaign. */
export function FiresPanel({ of }: { readonly of: { readonly campaign: string } | { readonly contact: string } }) {
  const query = new URLSearchParams({ ...of }).toString();
  const { data, error, isLoading, reload } = useRequest(`/campaign-fires?${query}`, { every: 3000 });
  const isOfCampaign = "campaign" in of;
  const events = useApiRequest(
    isOfCampaign ? `campaign_events.json?campaign=${encodeURIComponent(of.campaign)}` : "campaign_events.json",
  );
  const wordsOf = ({ event }: Fire): string => {
    const found = events.data?.results.find(({ uuid }) => uuid === event);
    return found === undefined ? "An event that was deleted" : eventWords(found);
  };
  const columns = (isDone: boolean) => [
    {
      name: "time",
      title: isDone ? "Happened" : "Due",
      cell: ({ due_on: due, fired_on: fired }: Fire) => (
        <>
          <IsoTime iso={fired ?? due} show="moment" /> {!isDone && <span class="design-muted">{distanceTo(due)}</span>}
        </>
      ),
    },
    ...(isOfCampaign
      ? [
          {
            name: "contact",
            title: "Contact",
            cell: ({ contact }: Fire) => (
              <a href={linkToService("contacts", contact.uuid)}>{contact.name ?? "No name"}</a>
            ),
          },
        ]
      : [
          {
            name: "campaign",
            title: "Campaign",
            cell: ({ campaign }: Fire) =>
              campaign === null ? "—" : <a href={linkToService("campaigns", campaign.uuid)}>{campaign.name}</a>,
          },
        ]),
    { name: "event", title: "Event", isCut: true, cell: wordsOf },
  ];
  return (
    <>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      <Panel title="Due next" about={data === undefined ? undefined : countWords(data.to_come, "planned")} isFlush>
        {isLoading ? (
          <Loading lines={3} />
        ) : (
          <DataTable<Fire>
            caption="Events that are due"
            columns={columns(false)}
            rows={data?.to_come.results ?? []}
            keyOf={(fire) => `${fire.event} ${fire.contact.uuid} ${fire.due_on}`}
            empty={
              <EmptyState icon="clock" title="Nothing is planned">
                <p>
                  An event is planned when a member of the campaign’s group has its date, and its time is in the future.
                </p>
              </EmptyState>
            }
          />
        )}
      </Panel>
      {(data?.done.count ?? 0) > 0 && (
        <Panel title="Done" about={data === undefined ? undefined : countWords(data.done, "done")} isFlush>
          <DataTable<Fire>
            caption="Events that happened"
            columns={columns(true)}
            rows={data?.done.results ?? []}
            keyOf={(fire) => `${fire.event} ${fire.contact.uuid} ${fire.due_on}`}
            empty={undefined}
          />
        </Panel>
      )}
    </>
  );
}

function countWords({ count, results }: FireList, word: string): string {
  const all = `${formatCount(count)} ${word}`;
  return count > results.length ? `${all}; the first ${results.length} are shown.` : `${all}.`;
}

function distanceTo(iso: string): string {
  const nowMs = clock.value?.nowMs;
  return nowMs === undefined ? "" : formatDistance(atMsOf(iso) - nowMs);
}
