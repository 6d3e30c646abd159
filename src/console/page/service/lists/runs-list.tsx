import { EmptyState } from "../../design/index.js";
import { IsoTime } from "../../domain/time.jsx";
import { linkToService } from "../links.js";
import { ListPanel } from "../list-panel.jsx";
import type { RecordOf } from "../../../protocol/index.js";
import { StatusBadge } from "../status-badge.jsx";

/** All runs, the last changed first. */
export function RunsList() {
  return (
    <RunsPanel
      title="Runs"
      about="Each is one contact’s path through a flow, the last changed first. Open one to see it on the flow’s graph."
      path="runs.json?paths=false"
    />
  );
}

/** A table of runs; each leads to its place on the flow's graph. */
export function RunsPanel({
  title,
  level = 2,
  about,
  path,
  selected,
  hasFlow = true,
  hasContact = true,
}: {
  readonly title: string;
  readonly level?: 2 | 3;
  readonly about?: string;
  readonly path: `runs.json${string}`;
  /** UUID of the run that is shown. */
  readonly selected?: string;
  readonly hasFlow?: boolean;
  readonly hasContact?: boolean;
}) {
  return (
    <ListPanel
      title={title}
      level={level}
      about={about}
      path={path}
      keyOf={({ uuid }) => uuid}
      link={({ uuid, flow }) => linkToService("flows", flow.uuid, { run: uuid })}
      isSelected={({ uuid }) => uuid === selected}
      words={({ contact, flow, values }) =>
        [contact.name, flow.name, ...Object.values(values).map(({ value }) => value)].join(" ")
      }
      columns={[
        ...(hasContact
          ? [{ name: "contact", title: "Contact", cell: ({ contact }: RecordOf<"runs">) => contact.name ?? "No name" }]
          : []),
        ...(hasFlow ? [{ name: "flow", title: "Flow", cell: ({ flow }: RecordOf<"runs">) => flow.name }] : []),
        {
          name: "results",
          title: "Results so far",
          isCut: true,
          isWideOnly: true,
          cell: ({ values }) => resultsOf(values),
        },
        {
          name: "status",
          title: "State",
          cell: ({ exit_type: exit }) => <StatusBadge status={exit ?? "active"} />,
        },
        {
          name: "changed",
          title: "Last step",
          align: "end",
          cell: ({ modified_on: at }) => <IsoTime iso={at} show="recent" />,
        },
      ]}
      empty={
        <EmptyState icon="run" title="No runs yet">
          <p>A run begins when a contact texts a keyword of a flow, or when the flow is started for them.</p>
        </EmptyState>
      }
    />
  );
}

/** `Age: Adult (45), Village: Kibo` */
export function resultsOf(values: RecordOf<"runs">["values"]): string {
  return Object.values(values)
    .map(({ name, value, category }) =>
      category === null || category === value ? `${name}: ${value}` : `${name}: ${category} (${value})`,
    )
    .join(", ");
}
