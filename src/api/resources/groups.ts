import type { ListedGroup } from "../../store/index.js";
import { recordOf, listMethod, type Resource } from "../resource.js";
import { records } from "../../schema/index.js";
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
    record: recordOf(records.groups, {
      uuid: (group) => group.uuid,
      name: (group) => group.name,
      query: (group) => group.query,
      status: () => "ready" as const,
      system: () => false,
      count: (group) => group.members,
    }),
  }),
  post,
  remove,
};
