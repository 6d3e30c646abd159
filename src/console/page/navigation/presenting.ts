import { effect, signal } from "@preact/signals";

const NAME = "present";

/** Whether the page is shown to an audience: larger type, no engineering words. The address has it: `?present`. */
export const isPresenting = signal(new URLSearchParams(location.search).has(NAME));

effect(() => {
  document.documentElement.toggleAttribute("data-present", isPresenting.value);
});

/** Enters or leaves presenter mode, and writes it to the address. */
export function present(isOn: boolean): void {
  isPresenting.value = isOn;
  const others = location.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && part.split("=")[0] !== NAME);
  const query = [...others, ...(isOn ? [NAME] : [])].join("&");
  history.replaceState(history.state, "", `${location.pathname}${query === "" ? "" : `?${query}`}${location.hash}`);
}
