import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./panel.css";

/** A framed part of a view, with a heading and actions. */
export function Panel({
  title,
  level = 2,
  about,
  actions,
  isFlush = false,
  children,
}: {
  readonly title: ComponentChildren;
  /** Level of the heading. */
  readonly level?: 2 | 3 | 4;
  /** A sentence under the heading. */
  readonly about?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Whether the content reaches the frame, as tables and lists do. */
  readonly isFlush?: boolean;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const Heading = `h${level}` as const;
  return (
    <section class="design-panel design-frame" aria-labelledby={id}>
      <header class="design-panel-head design-row">
        <div class="design-panel-title design-stack">
          <Heading id={id}>{title}</Heading>
          {about !== undefined && <p class="design-muted">{about}</p>}
        </div>
        {actions !== undefined && <div class="design-panel-actions design-row">{actions}</div>}
      </header>
      <div class={isFlush ? "design-panel-flush" : "design-panel-body"}>{children}</div>
    </section>
  );
}

/** The top of a view: its name, a sentence and its actions. */
export function ViewHead({
  title,
  about,
  actions,
  back,
}: {
  readonly title: ComponentChildren;
  readonly about?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** The view that this one belongs to. */
  readonly back?: { readonly href: string; readonly label: string };
}) {
  return (
    <header class="design-view-head design-row">
      <div class="design-view-title design-stack">
        {back !== undefined && (
          <a class="design-view-back" href={back.href}>
            {back.label}
          </a>
        )}
        <h1 tabIndex={-1}>{title}</h1>
        {about !== undefined && <p class="design-muted">{about}</p>}
      </div>
      {actions !== undefined && <div class="design-panel-actions design-row">{actions}</div>}
    </header>
  );
}

/** Names and their values, below each other. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren] | undefined | false)[];
}) {
  return (
    <dl class="design-facts">
      {facts.map(
        (fact) =>
          fact !== undefined &&
          fact !== false && (
            <div key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A number with its name, such as a total or a rate. @param tone - colour of a number that is a finding */
export function Stat({
  label,
  value,
  unit,
  tone,
  title,
  href,
}: {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly unit?: string;
  readonly tone?: "good" | "warning" | "bad" | undefined;
  readonly title?: string;
  /** Address of the list behind the number. */
  readonly href?: string;
}) {
  return (
    <div class="design-stat" title={title}>
      <span class="design-stat-label design-fine">{label}</span>
      <span class={`design-stat-value design-number${tone === undefined ? "" : ` design-tone-${tone}`}`}>
        {href === undefined ? (
          value
        ) : (
          <a href={href} aria-label={typeof value === "string" ? `${label}: ${value}` : label}>
            {value}
          </a>
        )}
        {unit !== undefined && <span class="design-stat-unit design-fine"> {unit}</span>}
      </span>
    </div>
  );
}
