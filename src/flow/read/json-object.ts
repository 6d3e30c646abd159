import { ownValue } from "../../wire/index.js";
import type { DefinitionProblem } from "./definition-error.js";

/** An object of a definition, read property by property. A wrong type becomes a problem and the property's default. */
export class JsonObject {
  readonly place: string;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #problems: DefinitionProblem[];

  constructor(place: string, value: unknown, problems: DefinitionProblem[]) {
    this.place = place;
    this.#problems = problems;
    if (isRecord(value)) this.#values = value;
    else {
      this.#values = {};
      this.addProblem("", `must be an object, got ${kindOf(value)}`);
    }
  }

  addProblem(name: string, text: string): void {
    this.#problems.push({ place: this.place, name, text: name === "" ? text : `${name} ${text}` });
  }

  /** Undefined for a missing or null property. */
  raw(name: string): unknown {
    const value = ownValue(this.#values, name);
    return value ?? undefined;
  }

  /** Missing: "". Numbers are taken as their text. */
  text(name: string): string {
    const value = this.raw(name);
    if (typeof value === "string") return value;
    if (typeof value === "number") return String(value);
    if (value !== undefined) this.addProblem(name, `must be text, got ${kindOf(value)}`);
    return "";
  }

  /** A text that must not be empty. */
  neededText(name: string): string {
    const value = this.text(name);
    if (value === "" && typeof (this.raw(name) ?? "") === "string") this.addProblem(name, "is missing");
    return value;
  }

  number(name: string, missing: number): number {
    const value = this.raw(name);
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
    if (value !== undefined) this.addProblem(name, `must be a number, got ${kindOf(value)}`);
    return missing;
  }

  isTrue(name: string): boolean {
    return this.raw(name) === true;
  }

  /** Missing: none. */
  items(name: string): readonly unknown[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.addProblem(name, `must be a list, got ${kindOf(value)}`);
    return [];
  }

  /** Texts of a list; other items are problems. */
  texts(name: string): readonly string[] {
    return this.items(name).flatMap((item) => {
      if (typeof item === "string") return [item];
      if (typeof item === "number") return [String(item)];
      this.addProblem(name, `must hold texts, got ${kindOf(item)}`);
      return [];
    });
  }

  /** Objects of a list. @param word - names an item in places: "action" */
  objects(name: string, word: string): readonly JsonObject[] {
    return this.items(name).map((item, index) => {
      const uuid = isRecord(item) && typeof item["uuid"] === "string" ? item["uuid"] : undefined;
      return new JsonObject(`${this.place}, ${word} ${uuid ?? index + 1}`, item, this.#problems);
    });
  }

  /** The object under a name; undefined if it is missing. */
  object(name: string): JsonObject | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new JsonObject(`${this.place}, ${name}`, value, this.#problems);
  }

  /** The object under a name; a missing one is reported as a problem. */
  requireObject(name: string): JsonObject {
    const found = this.object(name);
    if (found === undefined) this.addProblem(name, "is missing");
    return found ?? new JsonObject(`${this.place}, ${name}`, {}, []);
  }

  /** Names and texts of an object of texts; other values are problems. */
  textMap(name: string): Readonly<Record<string, string>> {
    const value = this.raw(name);
    if (value === undefined) return {};
    const map = new JsonObject(`${this.place}, ${name}`, value, this.#problems);
    return Object.fromEntries(Object.keys(map.#values).map((key) => [key, map.text(key)]));
  }

  /** Names of the properties. */
  keys(): readonly string[] {
    return Object.keys(this.#values);
  }
}

/** Whether a JSON value is an object and not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list; empty for other JSON. */
export function recordsIn(json: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(json) ? json.filter(isRecord) : [];
}

/** A text; empty for other JSON. */
export function textIn(json: unknown): string {
  return typeof json === "string" ? json : "";
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
