/** What all HTTP servers of the lab share: the APIs, the bundled receiver, the page of metrics. */
export { forwardedHeaders, namedHosts, ownTarget, prefixOf, publicUrlOf, readPublicUrl } from "./public-url.js";
export { answerUpgrades, type Upgrade } from "./upgrades.js";
export { refusalOfAddress } from "./refusal-of-address.js";
