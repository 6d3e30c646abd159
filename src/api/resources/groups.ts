import type { ListedGroup } from "../../store/index.js";
import { column, listMethod, type Resource } from "../resource.js";
import { schema } from "../../schema/index.js";
import { namedThing } from "./named-thing.js";

const { filters, post, remove } = namedThing({
  noun: "group",
  countMax: 250, // docs/reference/service-api.md#limits
  table: ({ context }) => context.tables.groups,
  registry: ({ context }) => context.account.groups,
  aboutPost: "Adds a group whose members are put in by hand, or renames the one that `uuid` names.",
  aboutRemove: "Deletes a group; its members leave it.",
  exampleName: "Volunteers",
});

/** Contact groups (docs/reference/service-api.md#groups). */
export const groups: Resource = {
  name: "groups",
  about: "Groups of contacts, put together by hand or by a query.",
  scope: "others",
  forSurveyors: false,
  list: listMethod<ListedGroup>({
    about: "Lists contact groups, the newest first.",
    list: ({ context }) => context.lists.groups,
    order: "created",
    filters,
    exclusive: ["uuid", "name"],
    record: {
      uuid: column(schema.uuid, (group) => group.uuid),
      name: column(schema.text, (group) => group.name),
      query: column(schema.nullable(schema.text), (group) => group.query),
      status: column(schema.oneOf(["ready"]), () => "ready"),
      system: column(schema.boolean, () => false),
      count: column(schema.integer, (group) => group.members),
    },
  }),
  post,
  remove,
};
