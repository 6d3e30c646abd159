/** What the service's account says about a person's result of a flow. */
export type ResultReading =
  | { readonly kind: "saved"; readonly value: string; readonly category: string | null }
  /** There are runs, but none has the result. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "no-run" }
  | { readonly kind: "no-flow" }
  | { readonly kind: "no-contact" };

/** Whether a person is in a group. */
export type MembershipReading = "member" | "not-member" | "no-group" | "no-contact";

/** The state of the account that expectations read. The lab implements it. */
export interface AccountStateReader {
  /** @param wanted - `flow`: name or UUID; absent: the latest run that has the result */
  readResult(person: number, wanted: { readonly result: string; readonly flow?: string | undefined }): ResultReading;
  /** @param group - name or UUID */
  readMembership(person: number, group: string): MembershipReading;
}
