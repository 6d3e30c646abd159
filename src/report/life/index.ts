/** The life of one event or message: what happened to it, in order, and why. */
export type { OpenTry } from "./headline.js";
export { type Life, lifeOf } from "./life.js";
export type { LifeEntry } from "./life-entry.js";
export { messageText } from "./message-text.js";
export { findSubject, type LifeSubject } from "./subject.js";
export { UnknownIdError } from "./subject.js";
export { clockText, lifeJson, renderLife } from "./render.js";
export { phoneReason } from "./delay-text.js";
