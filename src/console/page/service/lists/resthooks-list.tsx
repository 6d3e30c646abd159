import { useState } from "preact/hooks";
import { useApiRequest, useRequest } from "../../connection/use-request.js";
import { Button, DataTable, EmptyState, ErrorNote, Loading, Panel } from "../../design/index.js";
import { formatDuration } from "../../format/index.js";
import { EmitDialog } from "../actions/emit-dialog.jsx";
import { IsoTime } from "../../domain/time.jsx";
import { ListPanel } from "../list-panel.jsx";
import type { ResthookEvent } from "../../../protocol/index.js";
import { StatusBadge } from "../status-badge.jsx";

/** Resthooks with their subscribers, and their events with each delivery. */
export function ResthooksList() {
  const [emits, setEmits] = useState<string>();
  const subscribers = useApiRequest("resthook_subscribers.json", { every: 5000 });
  const urlsOf = (slug: string): string[] =>
    (subscribers.data?.results ?? []).flatMap((one) => (one.resthook === slug ? one.target_url : []));
  return (
    <>
      <ListPanel
        title="Resthooks"
        about="Named hooks through which flows notify other systems."
        path="resthooks.json"
        keyOf={({ resthook }) => resthook}
        columns={[
          { name: "slug", title: "Name", cell: ({ resthook }) => <code>{resthook}</code> },
          {
            name: "subscribers",
            title: "Subscribers",
            cell: ({ resthook }) => (
              <ul role="list">
                {urlsOf(resthook).map((url) => (
                  <li key={url} class="service-url">
                    {url}
                  </li>
                ))}
                {urlsOf(resthook).length === 0 && <li class="design-muted">none: its events go nowhere</li>}
              </ul>
            ),
          },
          {
            name: "changed",
            title: "Changed",
            align: "end",
            isWideOnly: true,
            cell: ({ modified_on: at }) => <IsoTime iso={at} show="recent" />,
          },
          {
            name: "emit",
            title: <span class="design-unseen">Actions</span>,
            align: "end",
            cell: ({ resthook }) => (
              <Button size="small" icon="send" onPress={() => setEmits(resthook)}>
                Emit an event
              </Button>
            ),
          },
        ]}
        empty={
          <EmptyState icon="link" title="No resthooks">
            <p>Flows that call a resthook create it when they are imported.</p>
          </EmptyState>
        }
      />
      <ResthookEventsPanel />
      {emits !== undefined && <EmitDialog resthook={emits} onClose={() => setEmits(undefined)} />}
    </>
  );
}

function ResthookEventsPanel() {
  const { data, error, isLoading, reload } = useRequest("/resthook-events", { every: 3000 });
  return (
    <Panel
      title="Events and their deliveries"
      about={
        data?.next === null || data === undefined
          ? "The newest first."
          : "The newest 50. All of them: resthook_events.json of the API."
      }
      isFlush
    >
      {error !== undefined && (
        <div class="service-note">
          <ErrorNote error={error} onRetry={reload} />
        </div>
      )}
      {isLoading ? (
        <Loading lines={4} />
      ) : (
        <DataTable<ResthookEvent>
          caption="Events of resthooks"
          rows={data?.results ?? []}
          keyOf={({ id }) => id}
          columns={[
            { name: "time", title: "Time", cell: ({ created_on: at }) => <IsoTime iso={at} show="recent" /> },
            { name: "slug", title: "Resthook", cell: ({ resthook }) => <code>{resthook}</code> },
            {
              name: "data",
              title: "Data",
              isCut: true,
              cell: ({ data: sent }) => <code title={JSON.stringify(sent, undefined, 2)}>{JSON.stringify(sent)}</code>,
            },
            { name: "deliveries", title: "Deliveries", cell: (event) => <Deliveries event={event} /> },
          ]}
          empty={
            <EmptyState icon="link" title="No events yet">
              <p>Events come from flows, or by hand with “Emit an event”.</p>
            </EmptyState>
          }
        />
      )}
    </Panel>
  );
}

function Deliveries({ event: { attempts, pending } }: { readonly event: ResthookEvent }) {
  if (attempts.length + pending.length === 0) return <span class="design-muted">posted by the flow itself</span>;
  return (
    <ul role="list" class="design-stack-tight">
      {attempts.map((attempt) => (
        <li key={`${attempt.url} ${attempt.try}`} class="design-row">
          <StatusBadge status={attempt.outcome} />
          <span class="design-number">{attempt.status ?? attempt.error ?? ""}</span>
          <span class="service-url">{attempt.url}</span>
          <span class="design-muted">
            try {attempt.try}, {formatDuration(attempt.duration_ms)}
          </span>
        </li>
      ))}
      {pending.map(({ url, try: nth, due_on: due }) => (
        <li key={url} class="design-row">
          <StatusBadge status="pending" />
          <span class="service-url">{url}</span>
          <span class="design-muted">
            try {nth} at <IsoTime iso={due} show="time" />
          </span>
        </li>
      ))}
    </ul>
  );
}
