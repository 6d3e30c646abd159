import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { HandsetDetails } from "../../protocol/index.js";
import { fleetNetworks } from "../../protocol/index.js";
import { labPost } from "../connection/lab-client.js";
import { Button, ConfirmDialog, Input, Select, toastFailed, Toggle } from "../design/index.js";
import { formatDuration } from "../format/index.js";
import { ActsNow } from "../domain/acts-now.jsx";
import { type LastingSpan, lastingSpans, lastingWords, smsStates } from "../domain/change-choices.js";
import { IsoTime } from "../domain/time.jsx";
import { WayTrouble } from "./way-trouble.jsx";
import "./knobs.css";

interface Done {
  readonly words: string;
  readonly at: string;
}

/** The controls of one handset. Each act is a step of a story, recorded as an input of the world. */
export function Knobs({ handset, onDone }: { readonly handset: HandsetDetails; readonly onDone: () => void }) {
  const { selector, conditions, until, power } = handset;
  const [span, setSpan] = useState<LastingSpan>("");
  const [done, setDone] = useState<Done>();
  const [isResetting, setResetting] = useState(false);
  const act = async (verb: string, args: object, words: string): Promise<void> => {
    try {
      const answer = await labPost(`/do/${verb}`, { of: selector, ...args });
      setDone({ words, at: answer.at });
      onDone();
    } catch (error) {
      toastFailed(error);
    }
  };
  const lasting = span === "" ? {} : { for: span };
  const spanWords = span === "" ? "" : `, ${lastingWords(span)}`;
  const set = (verb: string, args: object, words: string): void =>
    void act(verb, { ...args, ...lasting }, words + spanWords);
  const ends = (name: string) =>
    until[name] === undefined ? undefined : (
      <>
        Until <IsoTime iso={until[name]} />
      </>
    );
  type Flag = "power_cut" | "airplane" | "paused" | "dozing";
  const onOff = (label: string, verb: string, name: Flag, [on, off]: readonly [on: string, off: string]) => (
    <Toggle
      label={label}
      isOn={conditions[name]}
      hint={ends(name)}
      onChange={(isOn) => set(verb, { state: isOn ? "on" : "off" }, isOn ? on : off)}
    />
  );
  return (
    <div class="handset-knobs design-grid">
      <ActsNow>
        <Select label="Changes last" value={span} options={lastingSpans} onChange={setSpan} />
        <div class="handset-knobs-switches">
          {onOff("Power cut", "power-cut", "power_cut", ["The power cut has started", "The power cut has ended"])}
          <Toggle
            label="Mains"
            isOn={conditions.mains}
            hint={conditions.power_cut ? "None during the power cut" : (ends("mains") ?? plugHints[conditions.plug])}
            onChange={(isOn) => set("power", { mains: isOn ? "on" : "off" }, isOn ? "Mains are on" : "Mains are off")}
          />
          {onOff("Airplane mode", "airplane", "airplane", ["Airplane mode is on", "Airplane mode is off"])}
          <Toggle
            label="Coverage"
            isOn={conditions.coverage === "ok"}
            hint={ends("coverage")}
            onChange={(isOn) =>
              set(
                "coverage",
                { state: isOn ? "ok" : "none" },
                isOn ? "The handset has coverage" : "The handset has no coverage",
              )
            }
          />
          <Toggle
            label="SIM in"
            isOn={!conditions.sim_out}
            hint={ends("sim_out") ?? simHint(handset)}
            onChange={(isOn) =>
              set("sim", { state: isOn ? "ok" : "none" }, isOn ? "The SIM is back" : "The SIM is taken out")
            }
          />
          <Toggle
            label="Mast down"
            isOn={conditions.mast_down}
            hint={ends("mast_down")}
            onChange={(isOn) => {
              const args = isOn ? (span === "" ? {} : { down: span }) : { state: "up" };
              void act("mast", args, isOn ? `The mast is down${spanWords}` : "The mast works again");
            }}
          />
          {onOff("App paused", "pause", "paused", ["The app is paused", "The app is resumed"])}
          {onOff("Doze", "doze", "dozing", ["The phone dozes", "The phone is awake"])}
          <Toggle
            label="App running"
            isOn={handset.running}
            onChange={(isOn) =>
              void act(isOn ? "open" : "kill", {}, isOn ? "The app was opened" : "The app was killed")
            }
          />
        </div>
        <div class="handset-knobs-pairs">
          <Select
            label="Network"
            value={conditions.network}
            options={fleetNetworks.map((value: string) => ({
              value,
              label: value === "none" ? "None" : value,
            }))}
            hint={conditions.power_cut ? "None during the power cut" : ends("network")}
            onChange={(type) => set("network", { type }, `The network is ${type}`)}
          />
          <Select
            label="Sending texts"
            value={conditions.sms_service}
            options={smsStates}
            hint={
              Object.keys(conditions.sms_fails_on).length > 0
                ? `By link: ${Object.entries(conditions.sms_fails_on)
                    .map(([link, share]) => `${link} ${Math.round(100 * share)} %`)
                    .join(", ")} of segments fail (${conditions.sms_fails_with})`
                : conditions.sms_fails > 0
                  ? `${Math.round(100 * conditions.sms_fails)} % of segments fail (${conditions.sms_fails_with})`
                  : (ends("sms_service") ?? creditHint(handset.credit))
            }
            onChange={(state) => set("sms-service", { state }, `Sending texts: ${state}`)}
          />
          <WayTrouble act={act} set={set} />
        </div>
        <Battery handset={handset} act={act} />
        <Clock handset={handset} act={act} lasting={lasting} spanWords={spanWords} until={ends("clock")} />
        <div class="handset-knobs-buttons">
          <Button
            icon="reload"
            isDisabled={!power.on}
            onPress={() => act("sync", { now: true }, "A sync was requested")}
          >
            Sync now
          </Button>
          <Button
            icon="upload"
            onPress={() => act("sync", { loses: "request", times: 1 }, "The request of its next sync is lost")}
          >
            Lose next request
          </Button>
          <Button
            icon="download"
            onPress={() => act("sync", { loses: "response", times: 1 }, "The answer to its next sync is lost")}
          >
            Lose next answer
          </Button>
          <Button
            icon="power"
            isDisabled={!power.on}
            onPress={() => act("reboot", { down: "2m" }, "The phone reboots for 2 min")}
          >
            Reboot
          </Button>
          <Button
            icon="power"
            isDisabled={!power.on || !handset.running}
            onPress={() => act("crash", { down: "2m" }, "The app has crashed, and starts again in 2 min")}
          >
            Crash the app
          </Button>
          <Button
            icon="plus"
            isDisabled={handset.credit === null}
            onPress={() => act("credit", { adds: 100 }, "The SIM is topped up by 100 units")}
          >
            Top up
          </Button>
          {handset.registration.claimed ? (
            <Button icon="cross" onPress={() => act("release", {}, "The service has released the channel")}>
              Release
            </Button>
          ) : (
            <Button icon="check" onPress={() => act("claim", {}, "Somebody has claimed the phone")}>
              Claim
            </Button>
          )}
          <Button kind="quiet-danger" icon="trash" isDisabled={!power.on} onPress={() => setResetting(true)}>
            Reset the app
          </Button>
        </div>
        <p class="handset-knobs-done" role="status">
          {done === undefined ? (
            <span class="design-muted">Each change is recorded with the run and can be replayed.</span>
          ) : (
            <>
              {done.words}, since <IsoTime iso={done.at} />.
            </>
          )}
        </p>
      </ActsNow>
      {isResetting && (
        <ConfirmDialog
          title={`Reset the app of ${selector}?`}
          confirm="Reset the app"
          cancel="Keep it"
          kind="danger"
          onConfirm={() => {
            setResetting(false);
            void act("reset", { down: "2m" }, "The app is reset for 2 min");
          }}
          onClose={() => setResetting(false)}
        >
          <p>This clears the app’s message table. Reports that the service has not received are lost.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** What a phone charges from, unless it is the usual charger. */
const plugHints = { ac: undefined, usb: "By USB", wireless: "By a wireless charger" } as const;

/** The SIMs of a phone; undefined: it has only the one of its group. */
function simHint({ sims, phone }: HandsetDetails): string | undefined {
  if (sims.length === 1 && sims[0]?.number === phone) return undefined;
  if (sims.length === 0) return "None: its SIM is in another phone";
  return sims
    .map(({ slot, number, carrier, credit, in: isIn, sends }) =>
      [
        `${slot}: ${number}`,
        carrier,
        ...(credit === null ? [] : [`${credit} units`]),
        ...(isIn ? [] : ["out"]),
        ...(sends && sims.length > 1 ? ["for texts"] : []),
      ].join(", "),
    )
    .join("; ");
}

function creditHint(units: number | null): string | undefined {
  return units === null ? undefined : `${units} units of credit left`;
}

type Act = (verb: string, args: object, words: string) => Promise<void>;

function Battery({ handset, act }: { readonly handset: HandsetDetails; readonly act: Act }) {
  const [dragged, setDragged] = useState<number>();
  const level = dragged ?? Math.round(handset.power.level);
  return (
    <label class="handset-knobs-slider">
      <span>
        Battery <span class="design-number">{level}%</span>
        {handset.conditions.battery_reports === "unknown" && ", reported with status UNK"}
        {handset.conditions.battery_reports === "none" && ", reported as -1: not seen yet"}
      </span>
      <input
        type="range"
        min={0}
        max={100}
        value={level}
        onInput={(event) => setDragged(event.currentTarget.valueAsNumber)}
        onChange={(event) => {
          const percent = event.currentTarget.valueAsNumber;
          void act("battery", { level: `${percent}%` }, `The battery is at ${percent}%`).then(() =>
            setDragged(undefined),
          );
        }}
      />
    </label>
  );
}

/** The syntax of a skew in scenarios. */
const SKEW = /^-?(\d+(ms|s|m|h|d))+$/;

interface ClockProps {
  readonly handset: HandsetDetails;
  readonly act: Act;
  /** How long changes last: the argument of the verb, and its words. */
  readonly lasting: { readonly for?: string };
  readonly spanWords: string;
  /** When it is as before again. */
  readonly until: ComponentChildren;
}

function Clock({ handset, act, lasting, spanWords, until }: ClockProps) {
  const [typed, setTyped] = useState("");
  const isWrong = typed !== "" && !SKEW.test(typed);
  const skewS = Math.round(handset.clock_skew_ms / 1000);
  return (
    <form
      class="handset-knobs-clock"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === "" || isWrong) return;
        void act("clock", { skew: typed, ...lasting }, `The clock is off by ${typed}${spanWords}`);
        setTyped("");
      }}
    >
      <Input
        label="Clock ahead by"
        value={typed}
        onChange={setTyped}
        placeholder="-20m"
        size={8}
        hint={
          <>
            {skewS === 0
              ? "The clock is correct."
              : `It is ${formatDuration(Math.abs(skewS) * 1000)} ${skewS > 0 ? "ahead" : "behind"}.`}{" "}
            {until}
          </>
        }
        {...(isWrong && { error: "A span such as 20m, or -20m for behind." })}
      />
      <Button isSubmit isDisabled={typed === "" || isWrong}>
        Set
      </Button>
      <Button
        kind="quiet"
        isDisabled={skewS === 0}
        onPress={() => act("clock", { skew: "0s" }, "The clock is correct")}
      >
        Set right
      </Button>
    </form>
  );
}
