import type { ComponentChildren, Ref } from "preact";
import { Icon, type IconName } from "./icon.jsx";
import "./button.css";

/**
 * `main`: the primary action; `plain`: the others; `quiet`: without a frame, in rows and bars; `danger`: destructive;
 * `quiet-danger`: destructive after a confirmation.
 */
export type ButtonKind = "main" | "plain" | "quiet" | "danger" | "quiet-danger";

interface ButtonProps {
  readonly kind?: ButtonKind;
  readonly size?: "small" | "normal";
  readonly icon?: IconName;
  /** Icon after the words. */
  readonly iconEnd?: IconName;
  /** Whether its action is under way: it shows that and ignores further presses. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** Tooltip; for a disabled button the reason. */
  readonly title?: string | undefined;
  /** For a button that stays pressed. */
  readonly isPressed?: boolean;
  /** For a button that opens something under it. */
  readonly isExpanded?: boolean;
  readonly isSubmit?: boolean;
  readonly onPress?: () => unknown;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  readonly children: ComponentChildren;
}

/** A button with words. */
export function Button({
  kind = "plain",
  size = "normal",
  icon,
  iconEnd,
  isBusy = false,
  isDisabled = false,
  title,
  isPressed,
  isExpanded,
  isSubmit = false,
  onPress,
  buttonRef,
  children,
}: ButtonProps) {
  return (
    <button
      type={isSubmit ? "submit" : "button"}
      class={`design-button design-inline design-button-${kind} design-button-${size}`}
      aria-busy={isBusy}
      aria-disabled={isDisabled || isBusy}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      title={title}
      ref={buttonRef ?? null}
      onClick={(event) => {
        if (isDisabled || isBusy) event.preventDefault();
        else onPress?.();
      }}
    >
      {isBusy ? <span class="design-spinner" /> : icon !== undefined && <Icon name={icon} />}
      <span class="design-button-words">{children}</span>
      {iconEnd !== undefined && <Icon name={iconEnd} />}
      {isExpanded !== undefined && <Icon name="chevronDown" size="0.75em" />}
    </button>
  );
}

interface IconButtonProps {
  readonly icon: IconName;
  /** Name for screen readers, and tooltip. */
  readonly label: string;
  readonly kind?: "plain" | "quiet";
  readonly size?: "small" | "normal";
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly isPressed?: boolean;
  readonly isExpanded?: boolean;
  readonly onPress: () => unknown;
  readonly buttonRef?: Ref<HTMLButtonElement>;
}

/** A square button with a glyph. */
export function IconButton({
  icon,
  label,
  kind = "quiet",
  size = "normal",
  isBusy = false,
  isDisabled = false,
  isPressed,
  isExpanded,
  onPress,
  buttonRef,
}: IconButtonProps) {
  return (
    <button
      type="button"
      class={`design-button design-inline design-button-${kind} design-button-${size} design-button-square`}
      aria-label={label}
      aria-busy={isBusy}
      aria-disabled={isDisabled || isBusy}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      title={label}
      ref={buttonRef ?? null}
      onClick={() => {
        if (!isDisabled && !isBusy) onPress();
      }}
    >
      {isBusy ? <span class="design-spinner" /> : <Icon name={icon} />}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  href,
  kind = "plain",
  size = "normal",
  icon,
  opensTab = false,
  children,
}: {
  readonly href: string;
  readonly kind?: ButtonKind;
  readonly size?: "small" | "normal";
  readonly icon?: IconName;
  /** Whether it opens in another tab. */
  readonly opensTab?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <a
      {...(opensTab && { target: "_blank", rel: "noopener" })}
      href={href}
      class={`design-button design-inline design-button-${kind} design-button-${size}`}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span class="design-button-words">{children}</span>
    </a>
  );
}
