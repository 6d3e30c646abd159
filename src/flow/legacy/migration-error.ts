/** A definition or export that has no native form. The message is the place and the reason. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
  /** Where in the definition, such as `rule set 9f2b…, rule 2`; empty for the whole of it. */
  readonly place: string;
  readonly reason: string;

  constructor(place: string, reason: string) {
    super(place === "" ? reason : `${place}: ${reason}`);
    this.place = place;
    this.reason = reason;
  }

  /** The same error with the place of the definition before its own. */
  within(place: string): MigrationError {
    return new MigrationError(this.place === "" ? place : `${place}, ${this.place}`, this.reason);
  }
}
