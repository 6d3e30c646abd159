import { Badge, EmptyState } from "../../design/index.js";
import { IsoTime } from "../../domain/time.jsx";
import { linkToService } from "../links.js";
import { ListPanel } from "../list-panel.jsx";

/** Campaigns, the newest first. */
export function CampaignsList() {
  return (
    <ListPanel
      title="Campaigns"
      about="Messages and flows that follow a date of each contact in a group. Open one for its events and the next ones due."
      path="campaigns.json"
      keyOf={({ uuid }) => uuid}
      link={({ uuid }) => linkToService("campaigns", uuid)}
      words={({ name, group }) => `${name} ${group.name ?? ""}`}
      columns={[
        { name: "name", title: "Name", cell: ({ name }) => name },
        {
          name: "group",
          title: "Group",
          cell: ({ group }) => (
            <a href={linkToService("contacts", undefined, { group: group.uuid })}>{group.name ?? group.uuid}</a>
          ),
        },
        {
          name: "archived",
          title: "State",
          cell: ({ archived }) => (archived ? <Badge>Archived</Badge> : <Badge tone="good">Active</Badge>),
        },
        {
          name: "created",
          title: "Created",
          align: "end",
          cell: ({ created_on: at }) => <IsoTime iso={at} show="moment" />,
        },
      ]}
      empty={
        <EmptyState icon="clock" title="No campaigns">
          <p>Campaigns come from imports, account files and the API.</p>
        </EmptyState>
      }
    />
  );
}
