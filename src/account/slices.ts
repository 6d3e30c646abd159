/** Contacts that one kernel step serves: bounds how long a step for many contacts takes. */
export const SLICE = 100;

/** Between slices, in virtual milliseconds: 5,000 contacts a second are served. */
export const SLICE_EVERY_MS = 20;
