/**
 * The zoo: the scenarios of `scenarios/field/`, one failure of the field each, played at a receiver. `readZoo` reads them,
 * `playZoo` plays them one after the other and judges the receiver by their key `field`.
 */
export { playZoo } from "./play-zoo.js";
export { playCommand, renderPlayed, renderZooJunit, renderZooList, renderZooSummary } from "./render-zoo.js";
export { readZoo } from "./zoo-files.js";
export { bundledReceivers, ownReceivers } from "./zoo-receivers.js";
