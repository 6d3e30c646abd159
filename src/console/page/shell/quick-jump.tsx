import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { FoundPerson } from "../../protocol/index.js";
import { requestMoment } from "../connection/moment.js";
import { fleet } from "../connection/state.js";
import { Dialog, Icon, type IconName } from "../design/index.js";
import { findPeople } from "../domain/find-people.js";
import { type JumpChoice, jumpTargets } from "./jump-targets.js";
import { offeredViews } from "./nav.jsx";
import { linkToPerson } from "../navigation/routes.js";
import { viewTitles } from "./views.js";
import "./quick-jump.css";

const PEOPLE_MAX = 6;
const TYPED_MS = 150;

const icons: Readonly<Record<JumpChoice["kind"], IconName>> = {
  view: "arrowRight",
  handset: "phone",
  person: "person",
  event: "chain",
};

/** A search box that jumps to handsets, people, ids and views. */
export function QuickJump({ onClose, onGo }: { readonly onClose: () => void; readonly onGo: (href: string) => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const views = offeredViews().map((view) => [view, viewTitles[view]] as const);
  const people = usePeople(text.trim());
  const targets = [...jumpTargets(text, { views, groups: fleet.value?.groups ?? [] }), ...(people ?? [])];
  const chosen = Math.min(at, targets.length - 1);
  const go = (target: JumpChoice | undefined): void => {
    if (target === undefined) return;
    onClose();
    onGo(target.href);
  };
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <Dialog title="Jump to" onClose={onClose}>
      <input
        class="design-input"
        role="combobox"
        aria-label="A handset, a person, an id or a view"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={targets.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder="clinic/3, a name, +250…, 3/17"
        autocomplete="off"
        spellcheck={false}
        autofocus
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          const count = Math.max(1, targets.length);
          if (event.key === "ArrowDown") setAt((chosen + 1) % count);
          else if (event.key === "ArrowUp") setAt((chosen + count - 1) % count);
          else if (event.key === "Enter") go(targets[chosen]);
          else return;
          event.preventDefault();
        }}
      />
      <ul ref={list} class="shell-jump-list" id={`${id}-list`} role="listbox" aria-label="Places">
        {targets.map((target, index) => (
          <li
            key={target.href}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => go(target)}
            onPointerMove={() => setAt(index)}
          >
            <Icon name={icons[target.kind]} />
            <span class="design-cut">{target.label}</span>
            <span class="design-muted">{target.note}</span>
          </li>
        ))}
      </ul>
      {targets.length === 0 && (
        <p class="shell-jump-none">
          {people === undefined ? "Searching all people…" : "Nothing has this name, number or id."}
        </p>
      )}
    </Dialog>
  );
}

/** The first people of the lab that match a text. @returns undefined: the search is under way */
function usePeople(text: string): readonly JumpChoice[] | undefined {
  const settled = useSettled(text);
  const [found, setFound] = useState<{ readonly of: string; readonly targets: readonly JumpChoice[] }>();
  const atMs = requestMoment.value;
  useEffect(() => {
    if (!canBePerson(settled)) return undefined;
    const stop = new AbortController();
    void findPeople({ search: settled, limit: PEOPLE_MAX, signal: stop.signal })
      .then(({ results }) => results.map(personTarget))
      // After a failed request there are no matches; the frame shows that the connection is lost.
      .catch(() => [])
      .then((targets) => {
        if (!stop.signal.aborted) setFound({ of: settled, targets });
      });
    return () => stop.abort();
  }, [settled, atMs]);
  if (!canBePerson(text)) return [];
  return found?.of === text ? found.targets : undefined;
}

/** Whether a text can match people: it has at least two letters, and is not an event id such as `3/17`. */
function canBePerson(text: string): boolean {
  return text.length >= 2 && !/^\d+\/\d+$/.test(text);
}

function personTarget({ name, phone, selector }: FoundPerson): JumpChoice {
  return { kind: "person", label: name ?? selector, note: phone, href: linkToPerson(selector) };
}

/** The value, debounced. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
