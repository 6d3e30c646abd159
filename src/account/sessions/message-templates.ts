import { WorkBudget, withBudget } from "../../expression/index.js";
import { evaluateMessage, type Host } from "../../flow/index.js";
import type { Kernel, Streams } from "../../sim/index.js";
import { cutTextVisibly } from "../../wire/index.js";
import type { Organisation } from "../organisation.js";
import type { ContactRow } from "../tables/contact-table.js";
import type { Workload } from "../workload.js";
import type { ContactStates } from "./contact-states.js";
import type { FlowAssets } from "./flow-assets.js";
import type { FlowNotes } from "./flow-notes.js";
import { orgEnvironment } from "./org-environment.js";

/** Maximum length of a message in characters (docs/reference/flows.md#scanning). */
const LENGTH_MAX = 10_000;

/** Most units of work for one text. */
const TEMPLATE_UNITS_MAX = 50_000;

interface MessageTemplatesOptions {
  readonly kernel: Kernel;
  readonly streams: Streams;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  readonly organisation: Organisation;
  readonly assets: FlowAssets;
  readonly contactStates: ContactStates;
  readonly notes: FlowNotes;
  readonly workload: Workload;
}

/** Evaluates the texts of broadcasts and campaigns for their recipients. */
export class MessageTemplates {
  readonly #options: MessageTemplatesOptions;

  constructor(options: MessageTemplatesOptions) {
    this.#options = options;
  }

  /** @returns at most 10,000 characters; a failed expression is logged and evaluates to an empty text */
  readonly render = (template: string, contact: ContactRow): string => {
    // Most texts have no expression, and the state of a contact takes several queries.
    if (!template.includes("@")) return cutTextVisibly(template, LENGTH_MAX);
    const { contactStates, notes, workload } = this.#options;
    const state = contactStates.stateOf(contact, undefined);
    const budget = new WorkBudget(TEMPLATE_UNITS_MAX);
    const { text, errors } = withBudget(budget, () => evaluateMessage(this.#hostFor(contact), state, template));
    workload.add(budget.spent);
    for (const error of errors) notes.note("template-error", `a message to contacts: ${error}`, contact.row);
    return text;
  };

  #hostFor({ uuid }: ContactRow): Host {
    const { kernel, streams, startsAtMs, organisation, assets } = this.#options;
    const name = `message-template/${kernel.now}/${uuid}`;
    let stream: ReturnType<Streams["get"]> | undefined;
    let count = 0;
    return {
      environment: orgEnvironment(organisation.get()),
      assets,
      now: () => startsAtMs + kernel.now,
      random: () => (stream ??= streams.get(name)).next(),
      uuid: () => streams.uuid(`${name}/${++count}`),
    };
  }
}
