import type { HandsetDetails } from "../../protocol/index.js";
import { labPost } from "../connection/lab-client.js";
import { Facts, Panel, Toggle, toastDone, toastFailed } from "../design/index.js";
import { ActsNow } from "../domain/acts-now.jsx";
import { nameOfHandset } from "../domain/handset-name.jsx";
import { IsoTime } from "../domain/time.jsx";
import { audienceFacts } from "../phone/words.js";

/** The phone's state for an audience, and the one act that a presenter shows: the power cut. */
export function AudiencePanel({ handset, onDone }: { readonly handset: HandsetDetails; readonly onDone: () => void }) {
  const { selector, conditions, service } = handset;
  const cutPower = async (isCut: boolean): Promise<void> => {
    try {
      await labPost("/do/power-cut", { of: selector, state: isCut ? "on" : "off" });
      toastDone(`${nameOfHandset(selector)} ${isCut ? "has no power" : "has power again"}`);
      onDone();
    } catch (error) {
      toastFailed(error);
    }
  };
  return (
    <Panel title="How it is">
      <div class="handset-audience design-grid">
        <Facts
          facts={[
            ...audienceFacts(handset),
            ["The service last heard from it", service.has_synced ? <IsoTime iso={service.last_seen_at} /> : "Never"],
          ]}
        />
        <ActsNow>
          <Toggle label="Power cut" isOn={conditions.power_cut} onChange={(isCut) => void cutPower(isCut)} />
        </ActsNow>
      </div>
    </Panel>
  );
}
