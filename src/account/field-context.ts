import { DateTime } from "luxon";
import type { Kernel } from "../sim/index.js";
import type { FieldType, OrganisationData } from "../wire/index.js";
import type { ContactContext } from "./text/contact-view.js";
import type { LocationType } from "./text/field-values.js";
import type { Boundaries, BoundaryLevel } from "./boundaries.js";
import type { FieldTable } from "./fields.js";
import type { Organisation } from "./organisation.js";

/** A calendar year in a time zone. */
interface Year {
  readonly timezone: string;
  readonly year: number;
  /** Its first instant, and the first one of the next year, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
}

function yearAt(epochMs: number, timezone: string): Year {
  const from = DateTime.fromMillis(epochMs, { zone: timezone }).startOf("year");
  return { timezone, year: from.year, fromMs: from.toMillis(), toMs: from.plus({ years: 1 }).toMillis() };
}

const levels: Readonly<Record<LocationType, BoundaryLevel>> = { state: 1, district: 2, ward: 3 };

/** The account's current settings that field values, queries and templates depend on. */
export class AccountFieldContext implements ContactContext {
  readonly #kernel: Kernel;
  readonly #startsAtMs: number;
  readonly #organisation: Organisation;
  readonly #boundaries: Boundaries;
  readonly #fields: FieldTable;
  #year: Year = { timezone: "", year: 0, fromMs: 0, toMs: 0 };

  constructor(options: {
    kernel: Kernel;
    startsAtMs: number;
    organisation: Organisation;
    boundaries: Boundaries;
    fields: FieldTable;
  }) {
    this.#kernel = options.kernel;
    this.#startsAtMs = options.startsAtMs;
    this.#organisation = options.organisation;
    this.#boundaries = options.boundaries;
    this.#fields = options.fields;
  }

  get timezone(): string {
    return this.#organisation.get().timezone;
  }

  get dateStyle(): OrganisationData["dateStyle"] {
    return this.#organisation.get().dateStyle;
  }

  get isAnonymous(): boolean {
    return this.#organisation.get().isAnonymous;
  }

  get currentYear(): number {
    const epochMs = this.#startsAtMs + this.#kernel.now;
    const { timezone } = this;
    const isThisYear = timezone === this.#year.timezone && epochMs >= this.#year.fromMs && epochMs < this.#year.toMs;
    // Cached: every date needs the year, and luxon's calendar of a zone is slow.
    if (!isThisYear) this.#year = yearAt(epochMs, timezone);
    return this.#year.year;
  }

  get fields(): ReadonlyMap<string, FieldType> {
    return this.#fields.types();
  }

  /** The path of the boundary that a text names, `Rwanda > Kigali`; undefined when none or several match. */
  boundaryPath(type: LocationType, text: string): string | undefined {
    return this.#boundaries.find(text, { level: levels[type] })?.path;
  }

  boundaryName(type: LocationType, text: string): string | undefined {
    return this.#boundaries.find(text, { level: levels[type] })?.boundary.name;
  }
}
