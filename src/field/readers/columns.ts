import { LabError } from "../../base/index.js";
import { bodyKeys } from "./body-keys.js";

/** What a column can be beside a field of the event. */
export const columnRoles = ["time", "body", "path", "status", "ms", "answer"] as const;

const roles: readonly string[] = [...columnRoles, "phone-time", "direction"];

/** The field of the event that a named column fills: `phone-time` is the event's `time`, since `time` is the record's. */
export function fieldOfRole(role: string): string {
  return role === "phone-time" ? "time" : role;
}

/** The role that names a column of a field, the inverse of `fieldOfRole`. */
export function roleOfField(field: string): string {
  return field === "time" ? "phone-time" : field;
}

/** Columns that the user has named: `--columns time=ts,body=request_body,phone=msisdn`. */
export class Columns {
  readonly #columnOfRole = new Map<string, string>();
  readonly #fieldOfColumn = new Map<string, string>();

  /**
   * @param pairs - each `role=column`; a role that is none of `columnRoles` is a field of the event
   * @throws LabError `bad-options`
   */
  constructor(pairs: readonly string[] = []) {
    for (const pair of pairs) {
      const [role = "", column = ""] = pair.split(/=(.*)/s).map((part) => part.trim());
      if (role === "" || column === "") {
        throw new LabError("bad-options", `--columns ${pair}: write ROLE=COLUMN`, {
          hint: `a role is one of ${columnRoles.join(", ")}, phone-time, or a field of the event: phone=msisdn`,
        });
      }
      if (!roles.includes(role) && !bodyKeys.has(role)) {
        throw new LabError("bad-options", `--columns ${pair}: '${role}' is no role and no field of an event`, {
          hint: `roles are ${roles.join(", ")}; fields are event, phone, text, relayer, sms and the others of docs/events.md`,
        });
      }
      this.#columnOfRole.set(role, column);
      if (!(columnRoles as readonly string[]).includes(role)) this.#fieldOfColumn.set(column, fieldOfRole(role));
    }
  }

  /** The column of a role; undefined: it was not named. */
  columnOf(role: string): string | undefined {
    return this.#columnOfRole.get(role);
  }

  /** The named roles with their columns. */
  get given(): ReadonlyMap<string, string> {
    return this.#columnOfRole;
  }

  /** Fields under the names that events have for them. */
  fieldsOf(values: readonly (readonly [key: string, value: unknown])[]): (readonly [string, unknown])[] {
    if (this.#fieldOfColumn.size === 0) return [...values];
    return values.map(([key, value]) => [this.#fieldOfColumn.get(key) ?? key, value] as const);
  }
}
