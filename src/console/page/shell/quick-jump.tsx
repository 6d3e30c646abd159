import { useEffect, useId, useRef, useState } from "preact/hooks";
import { fleet } from "../connection/state.js";
import { useRequest } from "../connection/use-request.js";
import { Dialog, Icon, type IconName } from "../design/index.js";
import { type JumpTarget, jumpTargets } from "./jump-targets.js";
import { offeredViews } from "./nav.jsx";
import { linkToPerson } from "../navigation/routes.js";
import { viewTitles } from "./views.js";
import "./quick-jump.css";

const PEOPLE_MAX = 6;
const TYPED_MS = 150;

const icons: Readonly<Record<JumpTarget["kind"], IconName>> = {
  view: "arrowRight",
  handset: "phone",
  person: "person",
  event: "chain",
};

/** Goes anywhere by a few letters: handsets, people, ids, views. */
export function QuickJump({ onClose, onGo }: { readonly onClose: () => void; readonly onGo: (href: string) => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const views = offeredViews().map((view) => [view, viewTitles[view]] as const);
  const targets = [
    ...jumpTargets(text, { views, groups: fleet.value?.groups ?? [] }),
    ...usePeople(useSettled(text.trim())),
  ];
  const chosen = Math.min(at, targets.length - 1);
  const go = (target: JumpTarget | undefined): void => {
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
          const count = targets.length;
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
      {targets.length === 0 && <p class="shell-jump-none">Nothing has this name, number or id.</p>}
    </Dialog>
  );
}

interface PersonFound {
  readonly selector: string;
  readonly phone: string;
  readonly name: string | null;
}

function usePeople(text: string): readonly JumpTarget[] {
  const isAsked = text.length >= 2 && !/^\d+\/\d+$/.test(text);
  const { data } = useRequest<readonly PersonFound[]>(
    isAsked ? `/people?${new URLSearchParams({ search: text, limit: String(PEOPLE_MAX) })}` : undefined,
  );
  const wanted = text.toLowerCase();
  return (Array.isArray(data) ? data : [])
    .filter((person: PersonFound) =>
      [person.name ?? "", person.phone, person.selector].some((word) => word.toLowerCase().includes(wanted)),
    )
    .slice(0, PEOPLE_MAX)
    .map((person: PersonFound) => ({
      kind: "person" as const,
      label: person.name ?? person.selector,
      note: person.phone,
      href: linkToPerson(person.selector),
    }));
}

/** The value when it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
