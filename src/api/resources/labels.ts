import type { LabelRow } from "../../account/index.js";
import type { ListedLabel } from "../../store/index.js";
import type { Call } from "../call.js";
import { fieldError, wholeBodyError } from "../error.js";
import { required } from "../fields.js";
import { textFilter, uuidFilter } from "../filters.js";
import { nameOfThing } from "../kinds/name.js";
import { column, type Identifier, listed, post, remove, type Resource } from "../resource.js";
import * as schema from "../schema.js";

/** Labels an account can have (service-api.md 1.14). */
const LABELS_MAX = 250;

const byUuid: Identifier<LabelRow> = {
  about: "UUID of the label",
  schema: schema.uuid,
  find: (value, { desk }) => desk.tables.labels.byUuid(value.toLowerCase()),
};

/** Message labels (service-api.md 2.14). */
export const labels: Resource = {
  name: "labels",
  about: "Labels that sort incoming messages.",
  scope: "others",
  forSurveyors: false,
  list: listed<ListedLabel>({
    about: "Lists labels, the newest first.",
    list: ({ desk }) => desk.lists.labels,
    order: "created",
    filters: {
      uuid: uuidFilter("uuid", "The label with this UUID"),
      name: textFilter("name", "The label with this name, in any case"),
    },
    exclusive: ["uuid", "name"],
    record: {
      uuid: column(schema.uuid, (label) => label.uuid),
      name: column(schema.text, (label) => label.name),
      count: column(schema.integer, (label) => label.messages),
    },
  }),
  post: post({
    about: "Adds a label, or renames the one that `uuid` names.",
    identifiers: { uuid: byUuid },
    fields: { name: required(nameOfThing, "Unique in any case") },
    example: { name: "To answer" },
    check({ name }, call, identified) {
      const label = identified?.target;
      refuseTaken(name, label, call);
      const { account } = call.desk;
      if (label !== undefined) return () => ({ status: 200, key: account.labels.rename(label, name).id });
      refuseMoreLabels(call);
      return () => ({ status: 201, key: account.labels.add({ name }).id });
    },
  }),
  remove: remove({
    about: "Deletes a label; it goes from all messages.",
    identifiers: { uuid: byUuid },
    check:
      (label, { desk }) =>
      () =>
        desk.account.labels.remove(label),
  }),
};

/** @throws ApiError 400 when there are as many labels as there may be */
export function refuseMoreLabels({ desk }: Call): void {
  const { count } = desk.tables.labels;
  if (count >= LABELS_MAX) throw wholeBodyError(`There are ${count} labels, which is the limit`);
}

function refuseTaken(name: string, label: LabelRow | undefined, { desk }: Call): void {
  const other = desk.tables.labels.byName(name);
  if (other !== undefined && other.id !== label?.id) throw fieldError("name", "This field must be unique.");
}
