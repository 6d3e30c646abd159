import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.jsx";
import "./badge.css";

export type Tone = "neutral" | "note" | "good" | "warning" | "bad";

/** A short word with a glyph on a tinted background. @param colour - a token that replaces the tone */
export function Badge({
  tone = "neutral",
  colour = `--${tone}`,
  icon,
  title,
  children,
}: {
  readonly tone?: Tone;
  readonly colour?: `--${string}`;
  readonly icon?: IconName;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <span class="design-badge design-inline" title={title} style={{ "--badge": `var(${colour})` }}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  );
}
