import { useState } from "preact/hooks";
import { fleet } from "../connection/state.js";
import { Button, Input } from "../design/index.js";

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
  const value = typed ?? chosen ?? "";
  const groups = fleet.value?.groups ?? [];
  const isKnown = groups.some(({ name, firstIndex, count }) => {
    const [group, index] = value.split("/");
    return (
      group === name && /^\d+$/.test(index ?? "") && Number(index) >= firstIndex && Number(index) < firstIndex + count
    );
  });
  const offered = [...new Set([...recent, ...groups.flatMap(membersOf)])].slice(0, OFFERED_MAX);
  return (
    <form
      class="person-chooser"
      onSubmit={(event) => {
        event.preventDefault();
        if (isKnown) onChoose(value);
      }}
    >
      <Input
        label="Texts and calls the handset"
        value={value}
        onChange={setTyped}
        list={offered}
        {...(!isKnown && value !== "" && { error: "A handset, such as clinic/0." })}
      />
      {typed !== undefined && typed !== chosen && (
        <Button isSubmit isDisabled={!isKnown}>
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
