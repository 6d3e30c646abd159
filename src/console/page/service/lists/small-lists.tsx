import { BatteryIcon, EmptyState } from "../../design/index.js";
import { formatCount } from "../../format/index.js";
import { linkToHandset } from "../../navigation/routes.js";
import { IsoTime } from "../../domain/time.jsx";
import { ListPanel } from "../list-panel.jsx";

/** Labels of messages. */
export function LabelsList() {
  return (
    <ListPanel
      title="Labels"
      about="Labels sort incoming messages."
      path="labels.json"
      keyOf={({ uuid }) => uuid}
      words={({ name }) => name}
      columns={[
        { name: "name", title: "Name", cell: ({ name }) => name },
        { name: "count", title: "Messages", align: "end", cell: ({ count }) => formatCount(count) },
      ]}
      empty={
        <EmptyState title="No labels">
          <p>Labels come from imports, account files and the API.</p>
        </EmptyState>
      }
    />
  );
}

/** Fields that contacts can have. */
export function FieldsList() {
  return (
    <ListPanel
      title="Fields"
      about="Data of contacts beside name and language."
      path="fields.json"
      keyOf={({ key }) => key}
      words={({ key, label }) => `${key} ${label}`}
      columns={[
        { name: "label", title: "Label", cell: ({ label }) => label },
        { name: "key", title: "Key", cell: ({ key }) => <code>{key}</code> },
        { name: "type", title: "Type", cell: ({ value_type: type }) => type },
      ]}
      empty={
        <EmptyState title="No fields">
          <p>Fields come from imports, account files, flows and the API.</p>
        </EmptyState>
      }
    />
  );
}

/** Channels: the handsets as the service knows them. */
export function ChannelsList() {
  return (
    <ListPanel
      title="Channels"
      about="The handsets as they last reported to the service. The fleet shows their current state."
      path="channels.json"
      keyOf={({ uuid }) => uuid}
      words={({ name, address }) => `${name ?? ""} ${address ?? ""}`}
      link={({ name }) => (name === null ? undefined : linkToHandset(name))}
      columns={[
        { name: "name", title: "Name", cell: ({ name }) => name ?? "No name" },
        { name: "address", title: "Number", cell: ({ address }) => address ?? "—" },
        {
          name: "battery",
          title: "Battery",
          cell: ({ device }) =>
            device === null || device.power_level < 0 ? (
              <span class="design-muted">not reported</span>
            ) : (
              <span class="design-row">
                <BatteryIcon percent={device.power_level} isCharging={device.power_status === "CHA"} />
                {device.power_level}%
              </span>
            ),
        },
        { name: "network", title: "Network", isWideOnly: true, cell: ({ device }) => device?.network_type ?? "—" },
        { name: "model", title: "Device", isWideOnly: true, cell: ({ device }) => device?.name ?? "—" },
        {
          name: "seen",
          title: "Last seen",
          align: "end",
          cell: ({ last_seen: at }) => <IsoTime iso={at} show="recent" />,
        },
      ]}
      empty={
        <EmptyState icon="phone" title="No channels">
          <p>This account has no handsets. Serve a scenario with handsets to have some.</p>
        </EmptyState>
      }
    />
  );
}
