import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Button, IconButton } from "./button.jsx";
import { Icon, type IconName } from "./icon.jsx";
import "./menu.css";

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly onChoose: () => unknown;
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
  /** Text at the end of the item: a key, a unit. */
  readonly note?: string;
}

/** A button with a menu. Keys: arrows, Home, End, Escape. */
export function Menu({
  label,
  icon,
  isIconOnly = false,
  kind = "plain",
  size = "normal",
  align = "start",
  items,
}: {
  readonly label: string;
  readonly icon?: IconName;
  readonly isIconOnly?: boolean;
  readonly kind?: "plain" | "quiet";
  readonly size?: "small" | "normal";
  readonly align?: "start" | "end";
  readonly items: readonly MenuItem[];
}) {
  return (
    <Popover
      align={align}
      trigger={({ isOpen, toggle }) =>
        isIconOnly ? (
          <IconButton
            icon={icon ?? "more"}
            label={label}
            kind={kind}
            size={size}
            isExpanded={isOpen}
            onPress={toggle}
          />
        ) : (
          <Button kind={kind} size={size} icon={icon} isExpanded={isOpen} onPress={toggle}>
            {label}
          </Button>
        )
      }
    >
      {(close) => (
        <div class="design-menu" role="menu" aria-label={label} onKeyDown={moveInMenu}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role={item.isChosen === undefined ? "menuitem" : "menuitemradio"}
              aria-checked={item.isChosen}
              aria-disabled={item.isDisabled ?? false}
              class="design-menu-item design-line design-bare"
              onClick={() => {
                if (item.isDisabled === true) return;
                close();
                item.onChoose();
              }}
            >
              {item.isChosen === undefined
                ? item.icon !== undefined && <Icon name={item.icon} />
                : (item.isChosen && <Icon name="check" />) || <span class="design-menu-gap" />}
              <span>{item.label}</span>
              {item.note !== undefined && <span class="design-menu-note design-fine">{item.note}</span>}
            </button>
          ))}
        </div>
      )}
    </Popover>
  );
}

/** A panel under a button. Escape, a click outside and the loss of focus close it. */
export function Popover({
  trigger,
  align = "start",
  children,
}: {
  readonly trigger: (state: { readonly isOpen: boolean; readonly toggle: () => void }) => ComponentChildren;
  /** The side of the button at which the panel is aligned. */
  readonly align?: "start" | "end";
  readonly children: (close: () => void) => ComponentChildren;
}) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const first = body.current?.querySelector<HTMLElement>(
      '[aria-checked="true"], input, select, textarea, button, a[href]',
    );
    first?.focus();
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false) setIsOpen(false);
    };
    addEventListener("pointerdown", closeOutside);
    return () => removeEventListener("pointerdown", closeOutside);
  }, [isOpen]);
  useEffect(() => {
    keepInWindow(body.current);
  });
  const close = (): void => {
    setIsOpen(false);
    root.current?.querySelector<HTMLElement>("button")?.focus();
  };
  return (
    <div
      ref={root}
      class="design-popover"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        close();
      }}
      onFocusOut={(event) => {
        if (event.relatedTarget instanceof Node && root.current?.contains(event.relatedTarget) === false)
          setIsOpen(false);
      }}
    >
      {trigger({ isOpen, toggle: () => setIsOpen(!isOpen) })}
      {isOpen && (
        <div ref={body} id={id} class={`design-popover-body design-popover-${align}`}>
          {children(close)}
        </div>
      )}
    </div>
  );
}

/** Shifts an element so that it stays inside the window. */
function keepInWindow(element: HTMLElement | null): void {
  if (element === null) return;
  element.style.translate = "none";
  const { left, right } = element.getBoundingClientRect();
  const out = right > innerWidth - 8 ? innerWidth - 8 - right : left < 8 ? 8 - left : 0;
  if (out !== 0) element.style.translate = `${out}px 0`;
}

function moveInMenu(event: KeyboardEvent): void {
  const menu = event.currentTarget;
  if (!(menu instanceof HTMLElement)) return;
  const items = [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const at = items.findIndex((item) => item === document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items[(to + items.length) % items.length]?.focus();
}
