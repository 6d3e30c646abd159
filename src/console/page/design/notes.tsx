import type { ComponentChildren } from "preact";
import { Button } from "./button.jsx";
import { Icon, type IconName } from "./icon.jsx";
import "./notes.css";

/** An empty state: title, reason and next step. */
export function EmptyState({
  icon = "info",
  title,
  children,
  actions,
}: {
  readonly icon?: IconName;
  readonly title: string;
  /** Reason and next step. */
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
}) {
  return (
    <div class="design-empty design-stack-tight">
      <Icon name={icon} size="1.75rem" />
      <p class="design-empty-title">{title}</p>
      {children !== undefined && <div class="design-empty-words design-stack-tight">{children}</div>}
      {actions !== undefined && <div class="design-row">{actions}</div>}
    </div>
  );
}

/** An error with a retry button. @param error - its message is for the user */
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

/** The state of a request whose answer is not there: loading, or its error with a retry button. */
export function RequestNote({
  request: { isLoading, error, reload },
  ...loading
}: {
  readonly request: { readonly isLoading: boolean; readonly error: Error | undefined; readonly reload: () => void };
  readonly label?: string;
  readonly lines?: number;
}) {
  if (isLoading) return <Loading {...loading} />;
  return error === undefined ? null : <ErrorNote error={error} onRetry={reload} />;
}

/** A highlighted sentence. */
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
    <div
      class="design-note design-row"
      role={tone === "bad" ? "alert" : undefined}
      style={{ "--note-tone": `var(--${tone})` }}
    >
      <Icon name={icon} />
      <div class="design-note-words">{children}</div>
      {actions}
    </div>
  );
}

/** A placeholder while content loads. @param lines - about the expected number of lines */
export function Loading({ label = "Loading", lines = 3 }: { readonly label?: string; readonly lines?: number }) {
  return (
    <div class="design-loading design-stack" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
