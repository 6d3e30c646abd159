import { useEffect } from "preact/hooks";
import { keptChoice } from "../design/index.js";
import { isPresenting, present } from "../navigation/presenting.js";
import { goTo, linkTo, type ViewName } from "../navigation/routes.js";

/** Second keys after `g`, with their views. */
export const goKeys: readonly (readonly [key: string, view: ViewName])[] = [
  ["d", "district"],
  ["f", "fleet"],
  ["e", "events"],
  ["p", "person"],
  ["s", "service"],
  ["t", "story"],
];

/** Whether keys without Ctrl are active. Dictation can type them by accident. */
export const letterKeys = keptChoice("letter-keys", ["on", "off"], "on");

/** Longest time between `g` and the second key. */
const PAIR_MS = 1200;

/** The page's keys. They do not change the lab, and are inactive in text fields and dialogs. */
export function useShortcuts({ onJump, onHelp }: { readonly onJump: () => void; readonly onHelp: () => void }): void {
  useEffect(() => {
    let goUntilMs = 0;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !isDialogOpen()) {
        event.preventDefault();
        onJump();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === "Escape" && isPresenting.value && !isSomethingOpen() && !isTyping(event.target)) {
        event.preventDefault();
        present(false);
        return;
      }
      if (letterKeys.value === "off" || isTyping(event.target) || isDialogOpen()) return;
      const to = event.timeStamp < goUntilMs ? goKeys.find(([key]) => key === event.key)?.[1] : undefined;
      goUntilMs = event.key === "g" ? event.timeStamp + PAIR_MS : 0;
      if (to !== undefined) goTo(linkTo(to));
      else if (event.key === "/") onJump();
      else if (event.key === "?") onHelp();
      else if (event.key === "p") present(!isPresenting.value);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Whether Escape closes something else: a dialog, a menu, the side panel. */
function isSomethingOpen(): boolean {
  return isDialogOpen() || document.querySelector('[aria-expanded="true"], .shell-side') !== null;
}

function isDialogOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
