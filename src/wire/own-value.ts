/**
 * The own value of a record under a name; undefined: none. Names that come from users, files or templates are looked up
 * with it: every object inherits `constructor` and `__proto__`.
 */
export function ownValue<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Sets the own value of a record under a name that may be `__proto__`, which an assignment takes for the prototype. */
export function setOwnValue<Value>(record: Record<string, Value>, name: string, value: Value): void {
  if (name !== "__proto__") record[name] = value;
  else Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
}
