import type { Resource } from "../resource.js";
import { boundaries } from "./boundaries.js";
import { broadcasts } from "./broadcasts.js";
import { campaignEvents } from "./campaign-events.js";
import { campaigns } from "./campaigns.js";
import { channelEvents } from "./channel-events.js";
import { channels } from "./channels.js";
import { definitions } from "./definitions.js";
import { flowStarts } from "./flow-starts.js";
import { flows } from "./flows.js";
import { contactActions } from "./contact-actions.js";
import { contacts } from "./contacts.js";
import { fields } from "./fields.js";
import { groups } from "./groups.js";
import { labels } from "./labels.js";
import { messageActions } from "./message-actions.js";
import { messages } from "./messages.js";
import { newerResources } from "./newer.js";
import { org, workspace } from "./org.js";
import { resthookEvents } from "./resthook-events.js";
import { resthookSubscribers } from "./resthook-subscribers.js";
import { resthooks } from "./resthooks.js";
import { runs } from "./runs.js";

/** Every resource of the API, in the order of the documentation. */
export const resources: readonly Resource[] = [
  boundaries,
  broadcasts,
  campaigns,
  campaignEvents,
  channels,
  channelEvents,
  definitions,
  flows,
  flowStarts,
  contacts,
  contactActions,
  fields,
  groups,
  labels,
  messages,
  messageActions,
  org,
  resthooks,
  resthookEvents,
  resthookSubscribers,
  runs,
  workspace,
  ...newerResources,
];
