import { type SubscriberRow, SUBSCRIBERS_MAX } from "../../account/index.js";
import type { ListedSubscriber } from "../../store/index.js";
import { wholeBodyError } from "../error.js";
import { parseInteger, required } from "../body-fields.js";
import { integerFilter } from "../filters.js";
import { resthookFilter, resthookReference, targetUrl } from "../value-types/resthook.js";
import { recordOf, type Identifier, listMethod, postMethod, deleteMethod, type Resource } from "../resource.js";
import { records, schema } from "../../schema/index.js";

const byId: Identifier<SubscriberRow> = {
  about: "Id of the subscriber",
  schema: schema.integer,
  find(value, { context }) {
    const id = parseInteger(value);
    const subscriber = id === undefined ? undefined : context.tables.resthooks.subscriber(id);
    return subscriber?.isActive === true ? subscriber : undefined;
  },
};

/** URLs to which the events of resthooks are posted (docs/reference/service-api.md#resthooks). */
export const resthookSubscribers: Resource = {
  name: "resthook_subscribers",
  about: "Addresses to which the events of resthooks are posted.",
  scope: "others",
  forSurveyors: false,
  list: listMethod<ListedSubscriber>({
    about: "Lists subscribers, the newest first.",
    list: ({ context }) => context.lists.resthookSubscribers,
    order: "created",
    filters: {
      id: integerFilter("id", "The subscriber with this id"),
      resthook: resthookFilter("Subscribers of the resthook with this slug"),
    },
    record: recordOf(records.resthook_subscribers, {
      id: (row) => row.id,
      resthook: (row) => row.slug,
      target_url: (row) => row.targetUrl,
      created_on: (row, request) => request.timestamp(row.createdAtMs),
    }),
  }),
  post: postMethod({
    about: "Subscribes an address to a resthook.",
    fields: {
      resthook: required(resthookReference, "Slug of the resthook"),
      target_url: required(targetUrl, "Where its events are posted, as JSON"),
    },
    example: { resthook: "stock-low", target_url: "http://127.0.0.1:9000/stock" },
    check({ resthook, target_url: url }, { context }) {
      const { account, tables } = context;
      if (tables.resthooks.subscribersOf(resthook.id).some((known) => known.targetUrl === url)) {
        throw wholeBodyError("This address is subscribed to this resthook already");
      }
      if (account.resthooks.isFull(resthook)) {
        throw wholeBodyError(`The resthook has ${SUBSCRIBERS_MAX} subscribers, which is the limit`);
      }
      return () => ({ status: 201, key: account.resthooks.subscribe(resthook, url).id });
    },
  }),
  remove: deleteMethod({
    about: "Deletes a subscriber: nothing more is posted to it.",
    identifiers: { id: byId },
    check:
      (subscriber, { context }) =>
      () =>
        context.account.resthooks.unsubscribe(subscriber),
  }),
};
