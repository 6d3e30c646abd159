import { LabError } from "../base/index.js";

/** The lab refuses a request; nothing has changed. */
export class ControlRefusal extends Error {
  /** Messages by argument; the field `detail` is for a problem without an argument. */
  readonly problems: readonly { readonly field: string; readonly message: string }[];
  readonly status: 400 | 404 | 409;

  constructor(status: 400 | 404 | 409, problems: readonly { readonly field: string; readonly message: string }[]) {
    super(problems.map(({ message }) => message).join("; "));
    this.name = "ControlRefusal";
    this.status = status;
    this.problems = problems;
  }
}

/** A refusal for one argument. @param field - `detail`: for none */
export function refusal(field: string, message: string, status: ControlRefusal["status"] = 400): ControlRefusal {
  return new ControlRefusal(status, [{ field, message }]);
}

/** Turns a LabError of `act` into a ControlRefusal. */
export async function refuseLabErrors<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof LabError)) throw error;
    throw refusal("detail", error.hint === undefined ? error.message : `${error.message}:\n${error.hint}`);
  }
}
