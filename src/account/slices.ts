/** Contacts that one kernel step processes, which bounds the length of a step for many contacts. */
export const SLICE = 100;

/** Virtual milliseconds between two slices: 5,000 contacts a second. */
export const SLICE_EVERY_MS = 20;

/**
 * Units of work (`WorkBudget`, about a microsecond each) after which a kernel step or an input from outside leaves its
 * remaining work to later steps. It finishes the item that it has begun, at most a sprint.
 */
export const STEP_UNITS = 60_000;

/** Units of work after which the kernel returns to its loop, so that sockets and signals get a turn. */
export const TURN_UNITS = 5_000;

/** Units of work to make a message. */
export const MESSAGE_UNITS = 40;

/** Units of work to change one membership. */
export const MEMBERSHIP_UNITS = 35;

/** Units of work to read a contact, and to test one value of it in a query. */
export const CONTACT_UNITS = 12;
export const TEST_UNITS = 0.3;
