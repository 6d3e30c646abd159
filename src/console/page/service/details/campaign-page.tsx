import { useApiRequest } from "../../connection/use-request.js";
import { Badge, EmptyState, ViewHead } from "../../design/index.js";
import { linkToService } from "../links.js";
import { ListPanel } from "../list-panel.jsx";
import { baseText } from "../base-text.js";
import { whenWords } from "./event-words.js";
import { NoRecord } from "./no-record.jsx";
import { FiresPanel } from "./fires-panel.jsx";

/** One campaign: its events, their next fires, and past fires. */
export function CampaignPage({ uuid }: { readonly uuid: string }) {
  const encoded = encodeURIComponent(uuid);
  const request = useApiRequest(`campaigns.json?uuid=${encoded}`);
  const campaign = request.data?.results[0];
  const back = { href: linkToService("campaigns"), label: "Campaigns" };
  if (campaign === undefined) return <NoRecord noun="campaign" request={request} icon="clock" back={back} />;
  return (
    <>
      <ViewHead
        title={campaign.name}
        about={
          <>
            For <a href={linkToService("contacts", undefined, { group: campaign.group.uuid })}>{campaign.group.name}</a>{" "}
            {campaign.archived && <Badge>Archived: its events do not fire</Badge>}
          </>
        }
        back={back}
      />
      <ListPanel
        title="Events"
        path={`campaign_events.json?campaign=${encoded}`}
        keyOf={(event) => event.uuid}
        columns={[
          { name: "when", title: "When", cell: whenWords },
          {
            name: "what",
            title: "What",
            cell: ({ flow, message }) =>
              flow === null ? (
                `Says “${baseText(message ?? {})}”`
              ) : (
                <>
                  Starts <a href={linkToService("flows", flow.uuid)}>{flow.name}</a>
                </>
              ),
          },
        ]}
        empty={
          <EmptyState icon="clock" title="No events">
            <p>This campaign does nothing yet. Events come from imports and the API.</p>
          </EmptyState>
        }
      />
      <FiresPanel of={{ campaign: uuid }} />
    </>
  );
}
