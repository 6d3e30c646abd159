import { useState } from "preact/hooks";
import type { ChainBug } from "../../protocol/index.js";
import { Button, Input, Select } from "../design/index.js";

/** Where the choices have a pattern to fill in. */
const PATTERN = "/PATTERN/";

/** The value of the choice to write a condition. */
const OTHER = "other";

/** Lets the user say what is wrong: what the answers show, a choice, or a condition. */
export function WhatIsWrong({
  proposed,
  choices,
  isDisabled,
  onWrong,
}: {
  /** What the recorded answers show, as `--while` spells it; null: nothing. */
  readonly proposed: string | null;
  readonly choices: ChainBug["choices"];
  readonly isDisabled: boolean;
  readonly onWrong: (condition: string) => void;
}) {
  const [chosen, setChosen] = useState(proposed ?? "");
  const [text, setText] = useState(proposed ?? "");
  const isWritten = chosen === OTHER || chosen.includes(PATTERN);
  const canUse = text.trim() !== "" && !text.includes(PATTERN);
  return (
    <form
      class="design-stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (canUse && !isDisabled) onWrong(text.trim());
      }}
    >
      <Select
        label="What is wrong"
        value={chosen}
        isDisabled={isDisabled}
        hint={
          proposed === null
            ? "The recorded answers show nothing wrong: say what should have been otherwise."
            : "The recorded answers show it. You can say something else."
        }
        options={[
          proposed === null ? { value: "", label: "Choose", isDisabled: true } : { value: proposed, label: proposed },
          ...choices.map(({ condition, label }) => ({ value: condition, label })),
          { value: OTHER, label: "Something else" },
        ]}
        onChange={(value) => {
          setChosen(value);
          if (value === OTHER) return;
          setText(value);
          if (!value.includes(PATTERN)) onWrong(value);
        }}
      />
      {isWritten && (
        <div class="chain-condition">
          <Input
            label="Condition"
            isMono
            value={text}
            isDisabled={isDisabled}
            onChange={setText}
            hint={
              chosen === OTHER
                ? "As handset minimise --while spells it: status 500, no reply, reply /sorry/, hears-twice, timeout"
                : "Put what the wrong reply says in place of PATTERN, such as reply /sorry/"
            }
          />
          <Button isSubmit isDisabled={!canUse || isDisabled}>
            Use it
          </Button>
        </div>
      )}
    </form>
  );
}
