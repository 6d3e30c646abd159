import { useState } from "preact/hooks";
import { apiPost } from "../../connection/lab-client.js";
import { useAction } from "../../connection/use-action.js";
import { useApiRequest } from "../../connection/use-request.js";
import { Button, ConfirmDialog, Note, Select, toastDone } from "../../design/index.js";
import type { RecordOf } from "../../../protocol/index.js";
import { BroadcastDialog } from "./broadcast-dialog.jsx";
import { RefusalNote } from "./refusal-note.jsx";
import { StartFlowDialog } from "./start-flow-dialog.jsx";

/** Actions on one contact. @param onDone - after a change */
export function ContactActions({
  contact,
  onDone,
}: {
  readonly contact: RecordOf<"contacts">;
  readonly onDone: () => void;
}) {
  const [open, setOpen] = useState<"text" | "start" | "group" | "interrupt">();
  const close = (): void => {
    setOpen(undefined);
    onDone();
  };
  const contacts = [{ uuid: contact.uuid, name: contact.name ?? contact.urns[0] ?? null }];
  return (
    <>
      <Button icon="send" onPress={() => setOpen("text")}>
        Send a text
      </Button>
      <Button icon="play" onPress={() => setOpen("start")}>
        Start a flow
      </Button>
      <Button icon="group" onPress={() => setOpen("group")}>
        Add to a group
      </Button>
      {contact.flow !== null && (
        <Button icon="stop" kind="danger" onPress={() => setOpen("interrupt")}>
          Interrupt
        </Button>
      )}
      {open === "text" && <BroadcastDialog contacts={contacts} onClose={close} />}
      {open === "start" && <StartFlowDialog contacts={contacts} onClose={close} />}
      {open === "group" && <AddToGroupDialog contact={contact} onClose={close} />}
      {open === "interrupt" && <InterruptDialog contact={contact} onClose={close} />}
    </>
  );
}

function AddToGroupDialog({
  contact,
  onClose,
}: {
  readonly contact: RecordOf<"contacts">;
  readonly onClose: () => void;
}) {
  const groups = useApiRequest("groups.json");
  const [chosen, setChosen] = useState("");
  const action = useAction();
  const joined = new Set(contact.groups.map(({ uuid }) => uuid));
  const offered = (groups.data?.results ?? []).filter(({ uuid, query }) => query === null && !joined.has(uuid));
  const group = offered.find(({ uuid }) => uuid === chosen);
  const add = (): void =>
    action.run(async () => {
      await apiPost("contact_actions.json", { contacts: [contact.uuid], action: "add", group: chosen });
      toastDone(`${contact.name ?? "The contact"} is in “${group?.name ?? ""}”.`);
      onClose();
    });
  return (
    <ConfirmDialog
      title="Add to a group"
      confirm="Add to the group"
      isBusy={action.isBusy}
      blocked={group === undefined ? "Choose a group." : undefined}
      onConfirm={add}
      onClose={onClose}
    >
      <Select
        label="Group"
        value={chosen}
        options={[
          { value: "", label: groups.isLoading ? "Loading…" : "Choose a group" },
          ...offered.map(({ uuid, name }) => ({ value: uuid, label: name })),
        ]}
        onChange={setChosen}
        error={action.fieldError("group", "contacts") ?? groups.error?.message}
        hint="Groups without a query that the contact is not in. The group’s campaigns start for the contact."
      />
      <RefusalNote action={action} shown={["group", "contacts"]} />
    </ConfirmDialog>
  );
}

function InterruptDialog({
  contact,
  onClose,
}: {
  readonly contact: RecordOf<"contacts">;
  readonly onClose: () => void;
}) {
  const action = useAction();
  const interrupt = (): void =>
    action.run(async () => {
      await apiPost("contact_actions.json", { contacts: [contact.uuid], action: "interrupt" });
      toastDone(`${contact.name ?? "The contact"} has left the flow.`);
      onClose();
    });
  return (
    <ConfirmDialog
      title="Interrupt the run"
      confirm="Interrupt"
      icon="stop"
      kind="danger"
      isBusy={action.isBusy}
      onConfirm={interrupt}
      onClose={onClose}
    >
      <Note tone="warning">
        {contact.name ?? "The contact"} leaves “{contact.flow?.name}”. Answers so far are kept; later texts are not
        answers in this flow.
      </Note>
      <RefusalNote action={action} shown={[]} />
    </ConfirmDialog>
  );
}
