import { useState } from "preact/hooks";
import { Badge, Button, EmptyState } from "../../design/index.js";
import { formatCount } from "../../format/index.js";
import { ImportDialog } from "../actions/import-dialog.jsx";
import { StartFlowDialog } from "../actions/start-flow-dialog.jsx";
import { linkToService } from "../links.js";
import { ListPanel } from "../list-panel.jsx";

/** Flows, the newest first. */
export function FlowsList() {
  const [action, setAction] = useState<"import" | "start">();
  return (
    <>
      <ListPanel
        title="Flows"
        about="Automated conversations. Open one for its graph and its current contacts."
        path="flows.json"
        keyOf={({ uuid }) => uuid}
        link={({ uuid }) => linkToService("flows", uuid)}
        words={({ name, results }) => [name, ...results.map((result) => result.name)].join(" ")}
        actions={
          <>
            <Button icon="upload" onPress={() => setAction("import")}>
              Import
            </Button>
            <Button kind="main" icon="play" onPress={() => setAction("start")}>
              Start a flow
            </Button>
          </>
        }
        columns={[
          {
            name: "name",
            title: "Name",
            cell: ({ name }) => name,
          },
          {
            name: "kind",
            title: "Kind",
            isWideOnly: true,
            cell: ({ type, archived }) => (
              <span class="design-row">
                {kinds[type] ?? type}
                {archived && <Badge>Archived</Badge>}
              </span>
            ),
          },
          {
            name: "results",
            title: "Results",
            isCut: true,
            isWideOnly: true,
            cell: ({ results }) => results.map(({ name }) => name).join(", "),
          },
          { name: "active", title: "Active", align: "end", cell: ({ runs }) => formatCount(runs.active) },
          { name: "completed", title: "Completed", align: "end", cell: ({ runs }) => formatCount(runs.completed) },
          {
            name: "other",
            title: "Ended early",
            align: "end",
            isWideOnly: true,
            cell: ({ runs }) => formatCount(runs.interrupted + runs.expired + runs.failed),
          },
        ]}
        empty={
          <EmptyState
            icon="flow"
            title="No flows"
            actions={
              <Button icon="upload" onPress={() => setAction("import")}>
                Import definitions
              </Button>
            }
          >
            <p>Flows come from an export of an account (JSON) or an account file (YAML).</p>
          </EmptyState>
        }
      />
      {action === "import" && <ImportDialog onClose={() => setAction(undefined)} />}
      {action === "start" && <StartFlowDialog onClose={() => setAction(undefined)} />}
    </>
  );
}

const kinds: Readonly<Record<string, string>> = {
  message: "Messages",
  background: "Background",
  survey: "Survey",
  voice: "Voice",
};
