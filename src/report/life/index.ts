/** The life of one event or message: what happened to it, in order, and why. */
export { type Life, lifeOf } from "./life.js";
export { UnknownIdError } from "./subject.js";
export { clockText, lifeJson, renderLife } from "./render.js";
