import type { Disc } from "./layout.js";
import type { ReceiverState } from "./words.js";

/** The service: a house of messages. */
export function ServiceArt({ disc }: { readonly disc: Disc }) {
  return (
    <g transform={`translate(${disc.x} ${disc.y}) scale(${disc.radius / 60})`}>
      <rect class="district-hub-body" x="-44" y="-54" width="88" height="108" rx="16" />
      <path
        class="district-bubble-one"
        d="M-28-34h44a8 8 0 0 1 8 8v14a8 8 0 0 1-8 8h-24l-14 11v-11h-6a8 8 0 0 1-8-8v-14a8 8 0 0 1 8-8z"
      />
      <path
        class="district-bubble-two"
        d="M-12 14h36a7 7 0 0 1 7 7v10a7 7 0 0 1-7 7h-3v9l-12-9h-21a7 7 0 0 1-7-7V21a7 7 0 0 1 7-7z"
      />
    </g>
  );
}

/** The receiver: an application's window, with a check while it accepts, red with a cross while it fails. */
export function ReceiverArt({ disc, is }: { readonly disc: Disc; readonly is: ReceiverState["is"] }) {
  return (
    <g
      class={is === "failing" ? "district-failing" : undefined}
      transform={`translate(${disc.x} ${disc.y}) scale(${disc.radius / 60})`}
    >
      <rect class="district-hub-body" x="-54" y="-46" width="108" height="92" rx="12" />
      <path class="district-hub-line" d="M-54-24H54" />
      <path class="district-hub-dots" d="M-42-35h.1M-31-35h.1M-20-35h.1" />
      {is === "failing" && <path class="district-hub-cross" d="m-18-6 36 36m0-36L-18 30" />}
      {is === "fine" && <path class="district-hub-check" d="m-20 10 15 15L22-6" />}
    </g>
  );
}
