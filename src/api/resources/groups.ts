import type { GroupRow } from "../../account/index.js";
import type { ListedGroup } from "../../store/index.js";
import type { Call } from "../call.js";
import { fieldError, wholeBodyError } from "../error.js";
import { required } from "../fields.js";
import { textFilter, uuidFilter } from "../filters.js";
import { nameOfThing } from "../kinds/name.js";
import { column, type Identifier, listed, post, remove, type Resource } from "../resource.js";
import * as schema from "../schema.js";

/** Groups an account can have (service-api.md 1.14). */
const GROUPS_MAX = 250;

const byUuid: Identifier<GroupRow> = {
  about: "UUID of the group",
  schema: schema.uuid,
  find: (value, { desk }) => desk.tables.groups.byUuid(value.toLowerCase()),
};

/** Contact groups (service-api.md 2.13). */
export const groups: Resource = {
  name: "groups",
  about: "Groups of contacts, put together by hand or by a query.",
  scope: "others",
  forSurveyors: false,
  list: listed<ListedGroup>({
    about: "Lists contact groups, the newest first.",
    list: ({ desk }) => desk.lists.groups,
    order: "created",
    filters: {
      uuid: uuidFilter("uuid", "The group with this UUID"),
      name: textFilter("name", "The group with this name, in any case"),
    },
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
  post: post({
    about: "Adds a group whose members are put in by hand, or renames the one that `uuid` names.",
    identifiers: { uuid: byUuid },
    fields: { name: required(nameOfThing, "Unique in any case") },
    example: { name: "Volunteers" },
    check({ name }, call, identified) {
      const group = identified?.target;
      refuseTaken(name, group, call);
      const { account, tables } = call.desk;
      if (group !== undefined) return () => ({ status: 200, key: account.groups.rename(group, name).id });
      if (tables.groups.count >= GROUPS_MAX) throw wholeBodyError(`There are ${GROUPS_MAX} groups, which is the limit`);
      return () => ({ status: 201, key: account.groups.add({ name }).id });
    },
  }),
  remove: remove({
    about: "Deletes a group; its members leave it.",
    identifiers: { uuid: byUuid },
    check:
      (group, { desk }) =>
      () =>
        desk.account.groups.remove(group),
  }),
};

function refuseTaken(name: string, group: GroupRow | undefined, { desk }: Call): void {
  const other = desk.tables.groups.byName(name);
  if (other !== undefined && other.id !== group?.id) throw fieldError("name", "This field must be unique.");
}
