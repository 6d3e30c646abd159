/** What all HTTP servers of the lab share: the APIs, the bundled receiver, the page of metrics. */
export { answerUpgrades, type Upgrade } from "./upgrades.js";
