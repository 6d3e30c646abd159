import { useState } from "preact/hooks";
import { apiPost } from "../../connection/lab-client.js";
import { useAction } from "../../connection/use-action.js";
import { useApiRequest } from "../../connection/use-request.js";
import { Checkbox, ConfirmDialog, Note, Select, toastDone } from "../../design/index.js";
import { linkToService } from "../links.js";
import type { Reference } from "../../../protocol/index.js";
import { recipientWords } from "../recipients.js";
import { bodyOf, countOf, nobody, RecipientsField } from "./recipients-field.jsx";
import { RefusalNote } from "./refusal-note.jsx";

/** Starts contacts in a flow. @param flow - UUID of a preselected flow */
export function StartFlowDialog({
  flow: given = "",
  contacts = [],
  onClose,
}: {
  readonly flow?: string;
  readonly contacts?: readonly Reference[];
  readonly onClose: () => void;
}) {
  const flows = useApiRequest("flows.json?archived=false");
  const [chosen, setChosen] = useState(given);
  const [recipients, setRecipients] = useState({ ...nobody, contacts });
  const [restarts, setRestarts] = useState(true);
  const [skipsActive, setSkipsActive] = useState(false);
  const action = useAction();
  const count = countOf(recipients);
  const all = flows.data?.results ?? [];
  const flow = all.find(({ uuid }) => uuid === chosen);
  const isReady = flow !== undefined && count.count > 0;
  const start = (): void =>
    action.run(async () => {
      await apiPost("flow_starts.json", {
        flow: chosen,
        ...bodyOf(recipients),
        restart_participants: restarts,
        exclude_active: skipsActive,
      });
      toastDone(`${flow?.name ?? "The flow"} starts for ${recipientWords(count)}.`, {
        href: linkToService("flows", chosen),
        label: "Show the flow",
      });
      onClose();
    });
  return (
    <ConfirmDialog
      title="Start a flow"
      confirm={count.count === 0 ? "Start" : `Start for ${recipientWords(count)}`}
      icon="play"
      isBusy={action.isBusy}
      blocked={isReady ? undefined : "Choose a flow and its contacts."}
      onConfirm={start}
      onClose={onClose}
    >
      <Select
        label="Flow"
        value={chosen}
        options={[
          { value: "", label: flows.isLoading ? "Loading…" : "Choose a flow" },
          ...all.map(({ uuid, name }) => ({ value: uuid, label: name })),
        ]}
        onChange={setChosen}
        error={action.fieldError("flow") ?? flows.error?.message}
      />
      <RecipientsField
        value={recipients}
        onChange={setRecipients}
        error={action.fieldError("urns", "groups", "contacts")}
      />
      <Checkbox label="Start again those who have been in this flow before" isOn={restarts} onChange={setRestarts} />
      <Checkbox label="Leave out contacts who are in a flow now" isOn={skipsActive} onChange={setSkipsActive} />
      {isReady && (
        <Note>
          {recipientWords(count)} will enter “{flow.name}”.{" "}
          {skipsActive ? "Contacts who are in a flow now stay there." : "Contacts in another flow leave it."}{" "}
          {restarts ? "" : "Contacts who were in it before are left out."}
        </Note>
      )}
      <RefusalNote action={action} shown={["flow", "urns", "groups", "contacts"]} />
    </ConfirmDialog>
  );
}
