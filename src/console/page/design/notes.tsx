import type { ComponentChildren } from "preact";
import { Button } from "./button.jsx";
import { Icon, type IconName } from "./icon.jsx";
import "./notes.css";

/** Says that there is nothing here, why, and what to do next. */
export function EmptyState({
  icon = "info",
  title,
  children,
  actions,
}: {
  readonly icon?: IconName;
  readonly title: string;
  /** Why, and what to do next. */
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
}) {
  return (
    <div class="design-empty">
      <Icon name={icon} size="1.75rem" />
      <p class="design-empty-title">{title}</p>
      {children !== undefined && <div class="design-empty-words">{children}</div>}
      {actions !== undefined && <div class="design-row">{actions}</div>}
    </div>
  );
}

/** Says what failed, with a button that tries again. @param error - its message is for the user */
export function ErrorNote({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => unknown }) {
  return (
    <Note
      tone="bad"
      actions={
        onRetry !== undefined && (
          <Button size="small" icon="reload" onPress={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {error.message}
    </Note>
  );
}

/** A sentence that the reader should not miss. */
export function Note({
  tone = "note",
  actions,
  children,
}: {
  readonly tone?: "note" | "good" | "warning" | "bad";
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const icon = ({ note: "info", good: "check", warning: "warning", bad: "warning" } as const)[tone];
  return (
    <div class="design-note" role={tone === "bad" ? "alert" : undefined} style={{ "--note-tone": `var(--${tone})` }}>
      <Icon name={icon} />
      <div class="design-note-words">{children}</div>
      {actions}
    </div>
  );
}

/** The place of something that is being fetched. @param lines - about as many as there will be */
export function Loading({ label = "Loading", lines = 3 }: { readonly label?: string; readonly lines?: number }) {
  return (
    <div class="design-loading" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
