/** Bounds of the credit of a SIM, in units. */
export const unitBounds = { min: 0, max: 1_000_000_000 };
