import { useRef } from "preact/hooks";
import { Icon } from "./icon.jsx";
import "./search-box.css";

/** A search field with a glyph and a clear button. Escape also clears it. */
export function SearchBox({
  value,
  onChange,
  label,
  placeholder = label,
  onEnter,
  isDisabled = false,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly placeholder?: string;
  readonly onEnter?: () => void;
  readonly isDisabled?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="design-search">
      <Icon name="search" />
      <input
        ref={input}
        class="design-input"
        type="text"
        enterkeyhint="search"
        aria-label={label}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        disabled={isDisabled}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onEnter?.();
          if (event.key !== "Escape" || value === "") return;
          event.stopPropagation();
          onChange("");
        }}
      />
      {value !== "" && (
        <button
          type="button"
          class="design-search-clear design-bare"
          aria-label="Empty the search"
          title="Empty the search"
          onClick={() => {
            onChange("");
            input.current?.focus();
          }}
        >
          <Icon name="cross" />
        </button>
      )}
    </div>
  );
}
