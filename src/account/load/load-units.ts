/** Units of work to load an entry, in addition to those that the account itself counts. */
export const ENTRY_UNITS = 50;
