import { useEffect, useState } from "preact/hooks";
import { Icon } from "../design/index.js";
import { GivenFile } from "./given-file.jsx";
import "./field-log.css";

/** Reads a field log or a bug file that is dropped anywhere on the page, where nothing else takes the file. */
export function FieldLogDrop() {
  const [file, setFile] = useState<File>();
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const over = (event: DragEvent): void => {
      if (event.defaultPrevented || !hasFile(event) || isInDialog(event)) return setIsOver(false);
      event.preventDefault();
      setIsOver(true);
    };
    const drop = (event: DragEvent): void => {
      setIsOver(false);
      if (event.defaultPrevented || !hasFile(event)) return;
      // Without this the browser leaves the page and opens the file.
      event.preventDefault();
      if (!isInDialog(event)) setFile(event.dataTransfer?.files[0]);
    };
    window.addEventListener("dragover", over, { signal });
    window.addEventListener("drop", drop, { signal });
    window.addEventListener("dragleave", (event) => event.relatedTarget === null && setIsOver(false), { signal });
    return () => stop.abort();
  }, []);
  return (
    <>
      {isOver && (
        <div class="field-log-over" aria-hidden="true">
          <Icon name="upload" size="2rem" />
          Drop a log of the field to see its causes, or a bug file to see its steps
        </div>
      )}
      {file !== undefined && <GivenFile file={file} onClose={() => setFile(undefined)} />}
    </>
  );
}

function hasFile({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
}

/** An open dialog has its own purpose; its own field for files takes what is dropped there. */
function isInDialog({ target }: DragEvent): boolean {
  return target instanceof Element && target.closest("dialog") !== null;
}
