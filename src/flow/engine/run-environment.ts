import { DateTimeValue, defaultNumberFormat, type Environment, type NumberFormat } from "../../expression/index.js";
import type { SessionContact } from "../contact-state.js";
import { countryOfContact } from "../contact/destinations.js";
import type { Host } from "../host.js";
import { isAllowed } from "../localization.js";

/** The environment of templates: the organisation's settings, with the contact's timezone, language and country. */
export class RunEnvironment implements Environment {
  readonly timezone: string;
  readonly dateFormat: Environment["dateFormat"];
  readonly timeFormat: string;
  readonly allowedLanguages: readonly string[];
  readonly language: string | undefined;
  readonly numberFormat: NumberFormat;
  readonly locations: Environment["locations"];
  readonly #host: Host;
  readonly #contact: SessionContact;
  #country: string | undefined;
  #isCountryKnown = false;

  constructor(host: Host, contact: SessionContact) {
    const { environment } = host;
    this.#host = host;
    this.#contact = contact;
    this.timezone = contact.timezone === "" ? environment.timezone : contact.timezone;
    this.dateFormat = environment.dateFormat;
    this.timeFormat = environment.timeFormat;
    this.allowedLanguages = environment.allowedLanguages;
    this.language = isAllowed(contact.language, environment) ? contact.language : environment.allowedLanguages[0];
    this.numberFormat = environment.numberFormat ?? defaultNumberFormat;
    this.locations = host.assets.locations;
  }

  get defaultCountry(): string | undefined {
    // Computed on demand: few templates need the country, and finding it reads all addresses of the contact.
    if (!this.#isCountryKnown) {
      this.#country = countryOfContact(this.#contact, this.#host.assets) ?? this.#host.environment.defaultCountry;
      this.#isCountryKnown = true;
    }
    return this.#country;
  }

  now(): DateTimeValue {
    const now = this.#host.now();
    const wholeMs = Math.floor(now);
    return new DateTimeValue(wholeMs, Math.round((now - wholeMs) * 1000) * 1000, this.timezone);
  }

  random(): number {
    return this.#host.random();
  }
}
