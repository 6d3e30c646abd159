import type { ResthookRow } from "../../account/index.js";
import type { ApiRequest } from "../api-request.js";
import { InvalidValue } from "../error.js";
import { type Filter, lookupFilter } from "../filters.js";
import { type ValueType, textType } from "../body-fields.js";
import { referenceTo } from "./references.js";
import { schema } from "../../schema/index.js";

function findResthook(slug: string, { context }: ApiRequest): ResthookRow | undefined {
  return context.tables.resthooks.bySlug(slug);
}

/** An existing resthook, by its slug. */
export const resthookReference: ValueType<ResthookRow> = referenceTo("Slug of a resthook", findResthook);

/** A filter by the slug of a resthook. */
export function resthookFilter(about: string): Filter {
  const filter = lookupFilter("resthook", about, (slug, request) => findResthook(slug, request)?.id);
  return { ...filter, schema: schema.slug };
}

/** The real system's column holds 200 characters (docs/reference/service-api.md#limits). */
const anyText = textType({ max: 200 });

/** An absolute http, https, ftp or ftps URL (docs/reference/service-api.md#resthooks) that the lab may send to. */
export const targetUrl: ValueType<string> = {
  ...anyText,
  schema: { ...anyText.schema, format: "uri", examples: ["http://127.0.0.1:9000/stock"] },
  parse(value, request) {
    const url = anyText.parse(value, request);
    if (!isAddress(url)) throw new InvalidValue("Enter a valid URL.");
    if (!request.context.isAllowed(url)) {
      throw new InvalidValue(
        "This lab sends to hosts that were allowed only, by http or https: start it with --allow-host.",
      );
    }
    return url;
  },
};

function isAddress(url: string): boolean {
  return /^(https?|ftps?):\/\/[^/?#\s]/i.test(url) && !/\s/.test(url) && URL.canParse(url);
}
