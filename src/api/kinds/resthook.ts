import type { ResthookRow } from "../../account/index.js";
import type { Call } from "../call.js";
import { Fault } from "../error.js";
import { type Filter, lookupFilter } from "../filters.js";
import { type Kind, text } from "../fields.js";
import { referenceTo } from "../references.js";
import * as schema from "../schema.js";

function bySlug(slug: string, { desk }: Call): ResthookRow | undefined {
  return desk.tables.resthooks.bySlug(slug);
}

/** A resthook that is there already, by its slug. */
export const resthookReference: Kind<ResthookRow> = referenceTo("Slug of a resthook", bySlug);

/** Lists what belongs to one resthook. */
export function resthookFilter(about: string): Filter {
  const filter = lookupFilter("resthook", about, (slug, call) => bySlug(slug, call)?.id);
  return { ...filter, schema: schema.slug };
}

/** The column that keeps it takes no more (service-api.md 1.14). */
const anyText = text({ max: 200 });

/** An absolute http, https, ftp or ftps address (service-api.md 2.18) that the lab may send to. */
export const targetUrl: Kind<string> = {
  ...anyText,
  schema: { ...anyText.schema, format: "uri", examples: ["http://127.0.0.1:9000/stock"] },
  read(value, call) {
    const url = anyText.read(value, call);
    if (!isAddress(url)) throw new Fault("Enter a valid URL.");
    if (!call.desk.isAllowed(url)) {
      throw new Fault("This lab sends to hosts that were allowed only, by http or https: start it with --allow-host.");
    }
    return url;
  },
};

function isAddress(url: string): boolean {
  return /^(https?|ftps?):\/\/[^/?#\s]/i.test(url) && !/\s/.test(url) && URL.canParse(url);
}
