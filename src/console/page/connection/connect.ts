import { STREAM_PATH } from "../../protocol/index.js";
import { LabPicture } from "./lab-picture.js";
import { serverPath } from "./server-address.js";
import { connection, lab, retryAtMs } from "./state.js";
import { LabStream, type StreamSocket } from "./stream.js";
import { keepToken, labToken, takeTokenFromUrl } from "./token.js";

const picture = new LabPicture();
let isShowAsked = false;
/** Undefined: no view has asked for it yet. */
let isTrafficWished: boolean | undefined;

const stream = new LabStream({
  openSocket: () => new WebSocket(serverPath(STREAM_PATH)) as StreamSocket,
  token: labToken,
  wish: () => (isTrafficWished === undefined ? undefined : { traffic: isTrafficWished }),
  resume: () => picture.resume,
  applyFrame(frame) {
    const isTaken = picture.applyFrame(frame);
    if (isTaken) showSoon();
    return isTaken;
  },
  onTry() {
    retryAtMs.value = undefined;
    if (connection.value !== "lost") connection.value = "connecting";
  },
  onLive() {
    connection.value = "live";
  },
  onSilent() {
    connection.value = "silent";
  },
  onLost(waitMs) {
    connection.value = "lost";
    retryAtMs.value = Date.now() + waitMs;
  },
  onRefused() {
    connection.value = "refused";
    lab.value = undefined;
  },
  random: () => Math.random(),
});

/** Takes the token from the link and opens the live stream. */
export function connect(): void {
  takeTokenFromUrl();
  addEventListener("hashchange", () => {
    if (takeTokenFromUrl()) useToken(labToken());
  });
  addEventListener("online", retryNow);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) retryNow();
  });
  if (labToken() === "") connection.value = "refused";
  else stream.open();
}

/** Connects with another token, which was typed or is in another link. */
export function useToken(token: string): void {
  keepToken(token);
  stream.close();
  connection.value = "connecting";
  stream.open();
}

/** Whether the frames that follow have the traffic: the signal `traffic`. */
export function wishTraffic(isWished: boolean): void {
  if (isWished === (isTrafficWished ?? false)) return;
  isTrafficWished = isWished;
  stream.sendWish();
}

/** Reconnects without waiting. */
export function retryNow(): void {
  if (connection.value === "lost") stream.open();
}

/** Shows the received frames once per animation frame: a hidden tab draws nothing. */
function showSoon(): void {
  if (isShowAsked) return;
  isShowAsked = true;
  requestAnimationFrame(() => {
    isShowAsked = false;
    if (!isLiveHeld) picture.writeSignals();
  });
}

let isLiveHeld = false;

/** Stops showing the live lab while the page shows its past. Frames are still applied, but not shown. */
export function holdLive(): void {
  isLiveHeld = true;
}

/** Shows the live lab again. */
export function showLive(): void {
  isLiveHeld = false;
  picture.showAll();
}
