import { useState } from "preact/hooks";
import { labPost } from "../../connection/lab-client.js";
import { useAction } from "../../connection/use-action.js";
import { ConfirmDialog, Note, Textarea, toastDone } from "../../design/index.js";
import { RefusalNote } from "./refusal-note.jsx";

/** Emits an event of a resthook by hand. */
export function EmitDialog({ resthook, onClose }: { readonly resthook: string; readonly onClose: () => void }) {
  const [json, setJson] = useState('{\n  "post": "Upper Mill",\n  "left": 3\n}');
  const action = useAction();
  const data = objectFrom(json);
  const emit = (): void =>
    action.run(async () => {
      await labPost("/resthooks", { resthook, data });
      toastDone(`An event of ${resthook} is on its way to the subscribers.`);
      onClose();
    });
  return (
    <ConfirmDialog
      title={`Emit an event of ${resthook}`}
      confirm="Emit the event"
      icon="send"
      isBusy={action.isBusy}
      blocked={data === undefined ? "Its data is not a JSON object." : undefined}
      onConfirm={emit}
      onClose={onClose}
    >
      <Textarea
        label="Data"
        rows={6}
        isMono
        autofocus
        value={json}
        onChange={setJson}
        error={data === undefined ? "This is not a JSON object yet." : action.fieldError("data", "resthook")}
        hint="A JSON object. It is posted to each subscriber as it is."
      />
      <Note>Each subscriber gets a POST with this data; refused ones are tried again.</Note>
      <RefusalNote action={action} shown={["data", "resthook"]} />
    </ConfirmDialog>
  );
}

function objectFrom(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
