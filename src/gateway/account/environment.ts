import { DateTime } from "luxon";
import type { Kernel } from "../../sim/index.js";
import type { FieldType, OrganisationData } from "../../wire/index.js";
import type { ContactEnvironment } from "../contact-view.js";
import type { LocationType } from "../field-values.js";
import type { Boundaries, BoundaryLevel } from "./boundaries.js";
import type { FieldTable } from "./field-table.js";
import type { Organisation } from "./organisation.js";

const levels: Readonly<Record<LocationType, BoundaryLevel>> = { state: 1, district: 2, ward: 3 };

/** What bears on the values of fields and on queries, always as the account is at the moment. */
export class AccountEnvironment implements ContactEnvironment {
  readonly #kernel: Kernel;
  readonly #startsAtMs: number;
  readonly #organisation: Organisation;
  readonly #boundaries: Boundaries;
  readonly #fields: FieldTable;

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
    return DateTime.fromMillis(this.#startsAtMs + this.#kernel.now, { zone: this.timezone }).year;
  }

  get fields(): ReadonlyMap<string, FieldType> {
    return this.#fields.types();
  }

  boundaryName(type: LocationType, text: string): string | undefined {
    return this.#boundaries.find(text, { level: levels[type] })?.boundary.name;
  }
}
