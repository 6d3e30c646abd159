import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import "./tabs.css";

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  /** A number beside the label. */
  readonly count?: number | undefined;
}

/** Tabs with arrow keys. `children` is the panel of the chosen tab. */
export function Tabs<Name extends string>({
  tabs,
  chosen,
  onChoose,
  label,
  children,
}: {
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** Name of the tabs for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ name }) => name === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    const tab = tabs[index];
    if (tab === undefined) return;
    onChoose(tab.name);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  };
  return (
    <div class="design-tabs design-stack">
      <div ref={list} class="design-tabs-list" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name, label: words, count }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            class="design-tabs-tab design-bare design-inline"
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {words}
            {count !== undefined && (
              <span class="design-tabs-count design-fine design-number">{count.toLocaleString("en")}</span>
            )}
          </button>
        ))}
      </div>
      <div class="design-tabs-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  );
}
