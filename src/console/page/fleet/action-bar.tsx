import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { fleetNetworks } from "../../protocol/index.js";
import { Button, IconButton, Menu, Select } from "../design/index.js";
import { formatCounted } from "../format/index.js";
import { ActsNow } from "../domain/acts-now.jsx";
import { type LastingSpan, lastingSpans, lastingWords, smsStates } from "../domain/change-choices.js";
import { type Act, actOn } from "./act-on.js";
import type { FleetDesk } from "./fleet-desk.js";
import "./action-bar.css";

/** Actions on the selected handsets. The bar appears with the first one. */
export function ActionBar({ desk }: { readonly desk: FleetDesk }) {
  const [span, setSpan] = useState<LastingSpan>("");
  const [isBusy, setBusy] = useState(false);
  void desk.selected.value;
  const { count } = desk.selection;
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    if (element === null) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty("--fleet-actions-height", `${innerHeight - element.getBoundingClientRect().top}px`);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty("--fleet-actions-height");
    };
  }, [count === 0]);
  if (count === 0) return null;
  const lasting: Act["args"] = span === "" ? {} : { for: span };
  const during = span === "" ? "" : ` ${lastingWords(span)}`;
  const act = (given: Act): void => {
    setBusy(true);
    void actOn(desk.model, desk.selection.indexes(), given).finally(() => setBusy(false));
  };
  return (
    <section ref={bar} class="fleet-actions design-row" aria-label="Selected handsets">
      <div class="fleet-actions-count design-line">
        <strong class="design-number" role="status">
          {formatCounted(count, "handset")} selected
        </strong>
        <IconButton icon="cross" label="Clear the selection" size="small" onPress={() => desk.selection.clear()} />
      </div>
      <ActsNow>
        <Button
          kind="main"
          icon="plug"
          isBusy={isBusy}
          title="No mains and no network, as in a village without power"
          onPress={() => act({ verb: "power-cut", args: { state: "on", ...lasting }, done: `Power cut${during}` })}
        >
          Power cut
        </Button>
        <Button
          isDisabled={isBusy}
          title="Ends the power cut: mains and network return to their state before it"
          onPress={() => act({ verb: "power-cut", args: { state: "off" }, done: "Power restored" })}
        >
          Restore power
        </Button>
        <Menu
          label="Mains"
          items={[
            {
              label: "Mains off",
              note: "on batteries",
              onChoose: () => act({ verb: "power", args: { mains: "off", ...lasting }, done: `Mains off${during}` }),
            },
            {
              label: "Mains on",
              onChoose: () => act({ verb: "power", args: { mains: "on", ...lasting }, done: `Mains on${during}` }),
            },
          ]}
        />
        <Menu
          label="Network"
          items={[
            ...fleetNetworks.map((type) => ({
              label: type === "none" ? "No network" : type,
              onChoose: () => {
                const words = type === "none" ? "No network" : `Network ${type}`;
                act({ verb: "network", args: { type, ...lasting }, done: `${words}${during}` });
              },
            })),
            {
              label: "Airplane mode on",
              onChoose: () =>
                act({ verb: "airplane", args: { state: "on", ...lasting }, done: `Airplane mode on${during}` }),
            },
            {
              label: "Airplane mode off",
              onChoose: () => act({ verb: "airplane", args: { state: "off" }, done: "Airplane mode off" }),
            },
          ]}
        />
        <Menu
          label="Battery"
          items={[100, 50, 20, 5].map((level) => ({
            label: `Set to ${level}%`,
            onChoose: () => act({ verb: "battery", args: { level: `${level}%` }, done: `Battery set to ${level}%` }),
          }))}
        />
        <Menu
          label="Texts"
          items={smsStates.map(({ value: state, label }) => ({
            label,
            onChoose: () =>
              act({
                verb: "sms-service",
                args: { state, ...(state !== "ok" && lasting) },
                done: `SMS service: ${label.toLowerCase()}${state === "ok" ? "" : during}`,
              }),
          }))}
        />
        <Menu
          label="Phone"
          items={[
            {
              label: "Sync now",
              onChoose: () => act({ verb: "sync", args: { now: true }, done: "Sync requested" }),
            },
            {
              label: "Pause the app",
              onChoose: () => act({ verb: "pause", args: { state: "on", ...lasting }, done: `Paused${during}` }),
            },
            {
              label: "Resume the app",
              onChoose: () => act({ verb: "pause", args: { state: "off" }, done: "Resumed" }),
            },
            {
              label: "Reboot",
              note: "2 min",
              onChoose: () => act({ verb: "reboot", args: {}, done: "Rebooting" }),
            },
            {
              label: "Let it doze",
              note: "Android saves power",
              onChoose: () => act({ verb: "doze", args: { state: "on", ...lasting }, done: `Dozing${during}` }),
            },
            { label: "End the doze", onChoose: () => act({ verb: "doze", args: { state: "off" }, done: "Awake" }) },
            {
              label: "Top up the SIM",
              note: "100 units",
              onChoose: () => act({ verb: "credit", args: { adds: 100 }, done: "Topped up by 100 units" }),
            },
            {
              label: "Mast down",
              note: "no data, no calls",
              onChoose: () =>
                act({ verb: "mast", args: span === "" ? {} : { down: span }, done: `Mast down${during}` }),
            },
            {
              label: "Mast back",
              onChoose: () => act({ verb: "mast", args: { state: "up" }, done: "Mast back" }),
            },
          ]}
        />
        <Menu
          label="App"
          items={[
            { label: "Open it", onChoose: () => act({ verb: "open", args: {}, done: "App opened" }) },
            {
              label: "Kill it",
              note: "until somebody opens it",
              onChoose: () => act({ verb: "kill", args: { ...lasting }, done: `App killed${during}` }),
            },
            {
              label: "Let it crash",
              note: "starts again in 2 min",
              onChoose: () => act({ verb: "crash", args: { down: "2m" }, done: "App crashed" }),
            },
            {
              label: "Release the channel",
              note: "at the service",
              onChoose: () => act({ verb: "release", args: {}, done: "Channel released" }),
            },
            { label: "Claim it", onChoose: () => act({ verb: "claim", args: {}, done: "Claimed" }) },
          ]}
        />
        <div>
          <Select label="How long changes last" isLabelUnseen value={span} options={lastingSpans} onChange={setSpan} />
        </div>
      </ActsNow>
    </section>
  );
}
