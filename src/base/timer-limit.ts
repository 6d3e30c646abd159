/** The longest delay of a Node.js timer, in milliseconds (24.8 days): a longer one fires at once. */
export const TIMER_MS_MAX = 0x7fff_ffff;
