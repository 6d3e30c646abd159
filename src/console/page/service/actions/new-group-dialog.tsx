import { useState } from "preact/hooks";
import { apiPost } from "../../connection/lab-client.js";
import { useAction } from "../../connection/use-action.js";
import { ConfirmDialog, Input, toastDone } from "../../design/index.js";
import { linkToService } from "../links.js";
import { RefusalNote } from "./refusal-note.jsx";

/** Creates an empty group. */
export function NewGroupDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const action = useAction();
  const isReady = name.trim() !== "";
  const create = (): void =>
    action.run(async () => {
      const group = await apiPost("groups.json", { name });
      toastDone(`The group “${group.name}” was created. Add contacts on their pages.`, {
        href: linkToService("contacts"),
        label: "Contacts",
      });
      onClose();
    });
  return (
    <ConfirmDialog
      title="New group"
      confirm="Create the group"
      isBusy={action.isBusy}
      blocked={isReady ? undefined : "Write its name."}
      onConfirm={create}
      onClose={onClose}
    >
      <form
        class="design-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) create();
        }}
      >
        <Input
          label="Name"
          value={name}
          onChange={setName}
          autofocus
          error={action.fieldError("name")}
          hint="An empty group to which you add members by hand."
        />
        <RefusalNote action={action} shown={["name"]} />
      </form>
    </ConfirmDialog>
  );
}
