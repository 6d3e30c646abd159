import { signal } from "@preact/signals";
import { Button, IconButton } from "./button.jsx";
import { Icon } from "./icon.jsx";
import "./toasts.css";

interface Toast {
  readonly number: number;
  readonly tone: "good" | "bad";
  readonly words: string;
  readonly link?: ToastLink;
}

/** The link or the undo action of a toast. */
export type ToastLink =
  { readonly href: string; readonly label: string } | { readonly onChoose: () => unknown; readonly label: string };

const TOASTS_MAX = 3;
const GOOD_MS = 5000;
const UNDO_MS = 12_000;
const toasts = signal<readonly Toast[]>([]);
let lastNumber = 0;

/** Shows for a few seconds that an act succeeded. @param link - to its result, or to undo it */
export function toastDone(words: string, link?: ToastLink): void {
  const number = add({ tone: "good", words, link });
  setTimeout(() => dismiss(number), link !== undefined && "onChoose" in link ? UNDO_MS : GOOD_MS);
}

/** Shows a failure until the user dismisses it. */
export function toastFailed(error: unknown): void {
  add({ tone: "bad", words: error instanceof Error ? error.message : String(error) });
}

function add(toast: Omit<Toast, "number">): number {
  const number = ++lastNumber;
  toasts.value = [...toasts.value, { ...toast, number }].slice(-TOASTS_MAX);
  return number;
}

function dismiss(number: number): void {
  toasts.value = toasts.value.filter((toast) => toast.number !== number);
}

/** Removes all toasts. */
export function dropToasts(): void {
  toasts.value = [];
}

/** The place of toasts, once in the page. */
export function Toasts() {
  return (
    <div class="design-toasts design-stack-tight" role="status" aria-live="polite">
      {toasts.value.map(({ number, tone, words, link }) => (
        <div key={number} class={`design-toast design-line design-toast-${tone}`}>
          <Icon name={tone === "good" ? "check" : "warning"} />
          <span>
            {words} {link !== undefined && "href" in link && <a href={link.href}>{link.label}</a>}
          </span>
          {link !== undefined && "onChoose" in link && (
            <Button
              size="small"
              onPress={() => {
                dismiss(number);
                link.onChoose();
              }}
            >
              {link.label}
            </Button>
          )}
          <IconButton icon="cross" label="Dismiss" size="small" onPress={() => dismiss(number)} />
        </div>
      ))}
    </div>
  );
}
