import { useState } from "preact/hooks";
import { Button, IconButton } from "./button.jsx";
import { toastFailed } from "./toasts.jsx";

const SHOWN_MS = 1500;

/** Copies a text to the clipboard and confirms it. Without `children` it shows only a glyph. */
export function CopyButton({
  text,
  label,
  children,
  size = "small",
}: {
  readonly text: string | (() => string | Promise<string>);
  /** "Copy as curl". */
  readonly label: string;
  readonly children?: string;
  readonly size?: "small" | "normal";
}) {
  const [isDone, setIsDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
      setIsDone(true);
      setTimeout(() => setIsDone(false), SHOWN_MS);
    } catch {
      toastFailed(new Error("The browser does not let this page use the clipboard."));
    }
  };
  if (children === undefined) {
    return <IconButton icon={isDone ? "check" : "copy"} label={isDone ? "Copied" : label} size={size} onPress={copy} />;
  }
  return (
    <Button icon={isDone ? "check" : "copy"} size={size} title={label} onPress={copy}>
      {isDone ? "Copied" : children}
    </Button>
  );
}
