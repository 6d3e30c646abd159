/** Contacts that one kernel step serves: bounds how long a step for many contacts takes. */
export const SLICE = 100;

/** Between slices, in virtual milliseconds: 5,000 contacts a second are served. */
export const SLICE_EVERY_MS = 20;

/**
 * Units of work (`WorkBudget`, about a microsecond each) after which a kernel step or an input from outside leaves its
 * other work to later steps. It finishes what it has begun, at most a sprint.
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
