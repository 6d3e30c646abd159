import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button, type ButtonKind, IconButton } from "./button.jsx";
import type { IconName } from "./icon.jsx";
import "./dialog.css";

/** A modal dialog, open while it is rendered. Escape and a click outside close it; then the focus returns. */
export function Dialog({
  title,
  onClose,
  actions,
  size = "normal",
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  /** Buttons at its end, the main one last. */
  readonly actions?: ComponentChildren;
  readonly size?: "normal" | "wide";
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return undefined;
    const before = document.activeElement;
    element.showModal();
    // By default the first control, the close button, would have the focus.
    (element.querySelector<HTMLElement>("[autofocus]") ?? element).focus();
    return () => {
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`design-dialog design-dialog-${size}`}
      tabIndex={-1}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div class="design-dialog-frame">
        <header class="design-dialog-head design-line">
          <h2 id={id}>{title}</h2>
          <IconButton icon="cross" label="Close" size="small" onPress={onClose} />
        </header>
        <div class="design-dialog-body">{children}</div>
        {actions !== undefined && <footer class="design-dialog-foot">{actions}</footer>}
      </div>
    </dialog>
  );
}

/** A question or a form with one action. Its body describes the effect. */
export function ConfirmDialog({
  confirm,
  cancel = "Cancel",
  icon,
  kind = "main",
  isBusy = false,
  blocked,
  onConfirm,
  onClose,
  title,
  children,
}: {
  readonly title: string;
  /** Label of the confirm button. */
  readonly confirm: ComponentChildren;
  readonly cancel?: string;
  readonly icon?: IconName;
  readonly kind?: ButtonKind;
  /** Whether the action is under way. */
  readonly isBusy?: boolean;
  /** Reason why the action is disabled; undefined: it is enabled. */
  readonly blocked?: string | undefined;
  readonly onConfirm: () => unknown;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{cancel}</Button>
          <Button
            kind={kind}
            icon={icon}
            isBusy={isBusy}
            isDisabled={blocked !== undefined}
            title={blocked}
            onPress={onConfirm}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <div class="design-stack">{children}</div>
    </Dialog>
  );
}
