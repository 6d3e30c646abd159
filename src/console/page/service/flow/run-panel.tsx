import type { RequestError } from "../../connection/lab-client.js";
import { DataTable, ErrorNote, IconButton, LinkButton, Loading, Panel } from "../../design/index.js";
import { linkToPerson } from "../../navigation/routes.js";
import { IsoTime } from "../../domain/time.jsx";
import { linkToService } from "../links.js";
import { StatusBadge } from "../status-badge.jsx";
import type { GraphNode } from "./graph.js";
import type { FlowRun } from "../../../protocol/index.js";

/** The chosen run: contact, current node, answers so far, and each step with its time. */
export function RunPanel({
  run,
  error,
  isLoading,
  nodes,
  unknownSteps,
  onClose,
  onSelect,
}: {
  readonly run: FlowRun | undefined;
  readonly error: RequestError | undefined;
  readonly isLoading: boolean;
  readonly nodes: readonly GraphNode[];
  readonly unknownSteps: number;
  readonly onClose: () => void;
  readonly onSelect: (uuid: string) => void;
}) {
  if (run === undefined) {
    return (
      <Panel title="A contact’s path">
        {error !== undefined ? (
          <ErrorNote error={error} />
        ) : isLoading ? (
          <Loading lines={3} />
        ) : (
          <p class="design-muted">Choose a run below the graph to highlight the path of its contact, live.</p>
        )}
      </Panel>
    );
  }
  const { contact } = run;
  const byUuid = new Map(nodes.map((node) => [node.uuid, node]));
  const labels = new Map(nodes.flatMap(({ exits }) => exits.map(({ uuid, label }) => [uuid, label])));
  return (
    <Panel
      title={contact.name ?? contact.phone ?? "Contact without a name"}
      actions={
        <>
          <StatusBadge status={run.exit_type ?? "active"} />
          <IconButton icon="cross" label="Show no run" size="small" onPress={onClose} />
        </>
      }
    >
      <div class="design-stack">
        <div class="design-row">
          {contact.phone !== null && (
            <LinkButton href={linkToPerson(contact.phone)} size="small" icon="phone">
              Answer as them
            </LinkButton>
          )}
          <LinkButton href={linkToService("contacts", contact.uuid)} size="small" icon="person">
            Contact
          </LinkButton>
        </div>
        {run.answers.length === 0 ? (
          <p class="design-muted">No answers yet.</p>
        ) : (
          <DataTable<FlowRun["answers"][number]>
            caption="Answers so far"
            isCaptionSeen
            rows={run.answers}
            keyOf={({ label, time, text }) => `${label} ${time} ${text}`}
            columns={[
              { name: "label", title: "Result", cell: ({ label }) => label },
              { name: "category", title: "Category", cell: ({ category }) => category },
              { name: "text", title: "Text", isCut: true, cell: ({ text, value }) => text || value },
            ]}
            empty={undefined}
          />
        )}
        <section class="design-stack-tight" aria-label="Steps">
          <h3>Steps</h3>
          <ol class="service-steps design-stack-tight" tabIndex={0} aria-label="Steps of the run">
            {run.path.map(({ node: uuid, time, exit }, index) => {
              const node = byUuid.get(uuid);
              const label = exit === null ? undefined : labels.get(exit);
              return (
                <li key={`${time} ${index}`}>
                  <IsoTime iso={time} show="time" />{" "}
                  {node === undefined ? (
                    <span class="design-muted">a node that the flow no longer has</span>
                  ) : (
                    <button type="button" class="service-step design-cut design-bare" onClick={() => onSelect(uuid)}>
                      {node.place}. {node.lines[0]?.text ?? "Continues"}
                    </button>
                  )}
                  {label !== undefined && label !== "next" && (
                    <span class="service-step-exit design-cut design-fine">{label}</span>
                  )}
                </li>
              );
            })}
          </ol>
          {unknownSteps > 0 && (
            <p class="design-muted">
              {unknownSteps} steps were at nodes that the flow no longer has: it was replaced since.
            </p>
          )}
          {run.exit_type === null ? (
            <p class="design-muted">
              Here since <IsoTime iso={run.path.at(-1)?.time ?? run.modified_on} show="moment" />.
            </p>
          ) : (
            <p class="design-muted">
              Ended <IsoTime iso={run.exited_on} show="moment" />.
            </p>
          )}
        </section>
      </div>
    </Panel>
  );
}
