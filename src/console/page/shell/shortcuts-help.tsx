import type { ComponentChildren } from "preact";
import { lab } from "../connection/state.js";
import { Button, Dialog, Facts, Toggle } from "../design/index.js";
import { isPresenting, present } from "../navigation/presenting.js";
import { goKeys, letterKeys } from "./shortcuts.js";
import { viewTitles } from "./views.js";
import "./shortcuts-help.css";

/** The keys, and facts about lab and version. */
export function ShortcutsHelp({ onClose, onLog }: { readonly onClose: () => void; readonly onLog: () => void }) {
  const facts = lab.value;
  const hasLetters = letterKeys.value === "on";
  return (
    <Dialog title="Keys and help" onClose={onClose}>
      <div class="design-stack">
        <dl class="shell-keys">
          <Key keys={hasLetters ? ["/"] : ["Ctrl", "K"]} {...(hasLetters && { also: ["Ctrl", "K"] })}>
            Jump to a handset, a person, an id or a view
          </Key>
          {hasLetters &&
            goKeys.map(([key, view]) => (
              <Key key={key} keys={["g", key]}>
                {viewTitles[view]}
              </Key>
            ))}
          <Key keys={["↑"]} also={["↓"]}>
            Move in a list; <kbd>Enter</kbd> opens
          </Key>
          {hasLetters && <Key keys={["p"]}>Presenter mode, on and off</Key>}
          <Key keys={["Esc"]}>Close the side panel, a menu or a dialog</Key>
          {hasLetters && <Key keys={["?"]}>This help</Key>}
        </dl>
        <Toggle
          label="Presenter mode"
          isOn={isPresenting.value}
          onChange={present}
          hint="For an audience: larger, without engineering words. The address keeps it. Esc leaves it."
        />
        <Toggle
          label="Keys without Ctrl"
          isOn={hasLetters}
          onChange={(isOn) => (letterKeys.value = isOn ? "on" : "off")}
          hint="Off: /, ?, p, and g with a letter do nothing. For dictation, and for keys that other tools use."
        />
        <Button icon="upload" onPress={onLog}>
          Read a log of the field or a bug file
        </Button>
        {facts !== undefined && (
          <Facts
            facts={[
              ["Lab", facts.name],
              ["Receiver", facts.receiver ?? "none: events go nowhere"],
              ["Recording", facts.database ?? "in memory: it ends with the server"],
              ["Seed", facts.seed],
              ["Version", facts.version],
            ]}
          />
        )}
      </div>
    </Dialog>
  );
}

function Key({
  keys,
  also,
  children,
}: {
  readonly keys: readonly string[];
  readonly also?: readonly string[];
  readonly children: ComponentChildren;
}) {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
        {also !== undefined && (
          <>
            <span class="design-muted">or</span>
            {also.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </>
        )}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
