import { useState } from "preact/hooks";
import { Button, EmptyState } from "../../design/index.js";
import { formatCount } from "../../format/index.js";
import { NewGroupDialog } from "../actions/new-group-dialog.jsx";
import { linkToService } from "../links.js";
import { ListPanel } from "../list-panel.jsx";

/** Groups of contacts, the newest first. */
export function GroupsList() {
  const [isNew, setIsNew] = useState(false);
  return (
    <>
      <ListPanel
        title="Groups"
        about="Contacts grouped by hand or by a query."
        path="groups.json"
        keyOf={({ uuid }) => uuid}
        link={({ uuid }) => linkToService("contacts", undefined, { group: uuid })}
        words={({ name, query }) => `${name} ${query ?? ""}`}
        actions={
          <Button icon="plus" onPress={() => setIsNew(true)}>
            New group
          </Button>
        }
        columns={[
          { name: "name", title: "Name", cell: ({ name }) => name },
          {
            name: "query",
            title: "Members",
            isCut: true,
            cell: ({ query }) => (query === null ? "by hand" : <code title={query}>{query}</code>),
          },
          { name: "count", title: "Contacts", align: "end", cell: ({ count }) => formatCount(count) },
        ]}
        empty={
          <EmptyState icon="group" title="No groups">
            <p>Groups receive broadcasts and flow starts. Make one, then add contacts on their pages.</p>
          </EmptyState>
        }
      />
      {isNew && <NewGroupDialog onClose={() => setIsNew(false)} />}
    </>
  );
}
