/** Units of work to load an entry, besides what the account counts itself. */
export const ENTRY_UNITS = 50;
