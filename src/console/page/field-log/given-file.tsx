import { useEffect, useState } from "preact/hooks";
import { BugDialog } from "./bug-dialog.jsx";
import { FieldLogDialog } from "./field-log-dialog.jsx";

/** A file that somebody gives to the page: a bug file, or a log of the field; undefined: the user chooses one. */
export function GivenFile({ file, onClose }: { readonly file: File | undefined; readonly onClose: () => void }) {
  const [shown, setShown] = useState(file);
  useEffect(() => setShown(file), [file]);
  return shown !== undefined && isYaml(shown) ? (
    <BugDialog file={shown} onClose={onClose} />
  ) : (
    <FieldLogDialog file={shown} onChoose={setShown} onClose={onClose} />
  );
}

/** Logs are never YAML. */
function isYaml({ name }: File): boolean {
  return /\.ya?ml$/i.test(name);
}
