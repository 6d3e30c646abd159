/** The value of an expression that failed. It travels through look-ups, operators and most functions. */
export class ErrorValue {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}
