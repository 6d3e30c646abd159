import { useState } from "preact/hooks";
import { fleet } from "../connection/state.js";
import { Button, Input } from "../design/index.js";
import { selectorIn } from "../domain/display-name.js";
import { nameOfHandset } from "../domain/handset-name.jsx";

/** Most handsets in the list; others can be typed. */
const OFFERED_MAX = 200;

/** Chooses the handset that a person texts. */
export function HandsetChooser({
  chosen,
  recent,
  onChoose,
}: {
  readonly chosen: string | undefined;
  readonly recent: readonly string[];
  readonly onChoose: (handset: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const value = typed ?? (chosen === undefined ? "" : nameOfHandset(chosen));
  const groups = fleet.value?.groups ?? [];
  const meant = selectorIn(groups, value);
  const offered = [...new Set([...recent, ...groups.flatMap(membersOf)])].slice(0, OFFERED_MAX).map(nameOfHandset);
  return (
    <form
      class="person-chooser"
      onSubmit={(event) => {
        event.preventDefault();
        if (meant !== undefined) onChoose(meant);
      }}
    >
      <Input
        label="Texts and calls the handset"
        value={value}
        onChange={setTyped}
        list={offered}
        {...(meant === undefined && value !== "" && { error: `A handset, such as ${offered[0] ?? "clinic/0"}.` })}
      />
      {typed !== undefined && meant !== chosen && (
        <Button isSubmit isDisabled={meant === undefined}>
          Choose
        </Button>
      )}
    </form>
  );
}

function membersOf({
  name,
  firstIndex,
  count,
}: {
  readonly name: string;
  readonly firstIndex: number;
  readonly count: number;
}): string[] {
  return Array.from({ length: Math.min(count, OFFERED_MAX) }, (_, index) => `${name}/${firstIndex + index}`);
}
