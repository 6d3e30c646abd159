/** Built-in bugs that no audit can see, each with why. */
export const unseenBugs: Readonly<Record<string, string>> = {
  "calls-404": "an application may refuse calls: the audit says so as observed",
  "unknown-type-400": "an application may refuse types that it does not know: the audit says so as observed",
  trims: "an application may strip spaces at the ends of a text: the audit says so as observed",
  "zone-dropped":
    "the contract has no zone but UTC, so its meaning is the application's: the audit only looks for a crash",
  "one-alarm-per-phone": "an application may keep one open alarm for each phone",
};
