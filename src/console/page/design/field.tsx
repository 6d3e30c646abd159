import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./field.css";

interface FieldProps {
  readonly label: string;
  /** Text under the control: meaning, unit or example. */
  readonly hint?: ComponentChildren;
  /** Error of the value, which replaces the hint. */
  readonly error?: string | undefined;
  /** Whether only screen readers get the label. */
  readonly isLabelUnseen?: boolean;
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly isDisabled?: boolean;
  readonly isRequired?: boolean;
  readonly autofocus?: boolean;
}

/** A line of text with its label, hint and error. */
export function Input({
  kind = "text",
  list,
  isMono = false,
  size,
  ...text
}: TextProps & {
  readonly kind?: "text" | "number" | "tel" | "url" | "password";
  /** Suggested values. */
  readonly list?: readonly string[];
  readonly isMono?: boolean;
  /** Width in characters; absent: full width. */
  readonly size?: number;
}) {
  const id = useId();
  return (
    <FieldFrame id={id} {...text}>
      <input
        {...textAttributes(id, text)}
        class={`design-input${isMono ? " design-mono" : ""}`}
        style={size === undefined ? {} : { inlineSize: `calc(${size}ch + 1.75rem)` }}
        // The types allow `list` only for some kinds, and no union of kinds.
        type={kind as "text"}
        autocomplete="off"
        spellcheck={false}
        {...(list !== undefined && { list: `${id}-list` })}
      />
      {list !== undefined && (
        <datalist id={`${id}-list`}>
          {list.map((offered) => (
            <option key={offered} value={offered} />
          ))}
        </datalist>
      )}
    </FieldFrame>
  );
}

/** Several lines of text. @param onSubmit - Ctrl+Enter */
export function Textarea({
  rows = 3,
  isMono = false,
  onSubmit,
  ...text
}: TextProps & { readonly rows?: number; readonly isMono?: boolean; readonly onSubmit?: () => void }) {
  const id = useId();
  return (
    <FieldFrame id={id} {...text}>
      <textarea
        {...textAttributes(id, text)}
        class={`design-input design-textarea${isMono ? " design-mono" : ""}`}
        rows={rows}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSubmit?.();
        }}
      />
    </FieldFrame>
  );
}

/** One of some values. */
export function Select<Value extends string>({
  value,
  options,
  onChange,
  isDisabled = false,
  ...field
}: FieldProps & {
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly isDisabled?: boolean }[];
  readonly onChange: (value: Value) => void;
  readonly isDisabled?: boolean;
}) {
  const id = useId();
  return (
    <FieldFrame id={id} {...field}>
      <select
        {...described(id, field)}
        class="design-input design-select"
        value={value}
        disabled={isDisabled}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled ?? false}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

interface SwitchProps {
  readonly label: ComponentChildren;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
  readonly hint?: ComponentChildren;
  readonly title?: string | undefined;
}

/** A choice that takes effect when the form is sent or the list is filtered. */
export function Checkbox({ label, isOn, onChange, isDisabled = false, hint, title }: SwitchProps) {
  const id = useId();
  return (
    <div class="design-check" title={title}>
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <span id={`${id}-hint`} class="design-field-hint design-fine">
          {hint}
        </span>
      )}
    </div>
  );
}

/** A switch that takes effect at once. */
export function Toggle({ label, isOn, onChange, isDisabled = false, hint, title }: SwitchProps) {
  const id = useId();
  return (
    <div class="design-toggle" title={title}>
      <label for={id}>{label}</label>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        class="design-toggle-switch"
        onClick={() => {
          if (!isDisabled) onChange(!isOn);
        }}
      />
      {hint !== undefined && (
        <span id={`${id}-hint`} class="design-field-hint design-fine">
          {hint}
        </span>
      )}
    </div>
  );
}

/** Label, hint and error around a custom control with the id `id`. */
export function FieldFrame({
  id,
  label,
  hint,
  error,
  isLabelUnseen = false,
  children,
}: FieldProps & { readonly id: string; readonly children: ComponentChildren }) {
  return (
    <div class="design-field design-stack">
      <label for={id} class={isLabelUnseen ? "design-unseen" : "design-field-label"}>
        {label}
      </label>
      {children}
      {error !== undefined ? (
        <span id={`${id}-hint`} class="design-field-error" role="alert">
          {error}
        </span>
      ) : (
        hint !== undefined && (
          <span id={`${id}-hint`} class="design-field-hint design-fine">
            {hint}
          </span>
        )
      )}
    </div>
  );
}

function described(id: string, { hint, error }: FieldProps) {
  return {
    id,
    "aria-invalid": error === undefined ? undefined : true,
    ...((hint !== undefined || error !== undefined) && { "aria-describedby": `${id}-hint` }),
  };
}

/** Attributes that `Input` and `Textarea` share. */
function textAttributes(
  id: string,
  { value, onChange, placeholder, isDisabled = false, isRequired = false, autofocus = false, ...field }: TextProps,
) {
  return {
    ...described(id, field),
    value,
    placeholder,
    disabled: isDisabled,
    required: isRequired,
    autofocus,
    ref: autofocus ? focusOnce : null,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value),
  };
}

/** Focuses an element when it is added: browsers apply `autofocus` only at page load. A dialog reads the attribute. */
function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}
