import { DefinitionError, type FlowDefinition, readDefinition } from "../../flow/index.js";
import { generationOf } from "../definitions/index.js";
import type { FlowDefinition as StoredDefinition, FlowRow, FlowTable } from "../flows.js";

/** A flow that can run. */
export interface RunnableFlow {
  readonly definition: FlowDefinition;
  /** ISO 639-3, as the stored definition has it; "und": unset. */
  readonly baseLanguage: string;
  /** Keyword triggers do not interrupt it. */
  readonly ignoresTriggers: boolean;
}

/** The account's flows in the form that the runner executes, each read on first use. */
export class FlowDefinitions {
  readonly #table: FlowTable;
  readonly #note: (kind: string, text: string) => void;
  /** By flow id; undefined: it cannot run. */
  readonly #read = new Map<number, RunnableFlow | undefined>();

  /** @param options - `note`: writes a sentence to the log of the run */
  constructor(options: { readonly table: FlowTable; readonly note: (kind: string, text: string) => void }) {
    this.#table = options.table;
    this.#note = options.note;
  }

  /** @returns undefined when the flow cannot run; the log says why, once */
  of(flow: FlowRow): RunnableFlow | undefined {
    if (this.#read.has(flow.id)) return this.#read.get(flow.id);
    const runnable = this.#readFlow(flow);
    this.#read.set(flow.id, runnable);
    return runnable;
  }

  /** The definition of a flow was replaced. */
  forget(flow: number): void {
    this.#read.delete(flow);
  }

  #readFlow(flow: FlowRow): RunnableFlow | undefined {
    const stored = this.#table.definition(flow.id);
    if (stored === undefined) return undefined;
    try {
      const native = generationOf(stored) === "legacy" ? migrateDefinition(stored) : stored;
      const language = stored["base_language"] ?? stored["language"];
      return {
        definition: readDefinition(native),
        baseLanguage: typeof language === "string" ? language : "und",
        ignoresTriggers: ignoresTriggers(stored),
      };
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      this.#note("flow-unreadable", `flow '${flow.name}' cannot run: ${error.message}`);
      return undefined;
    }
  }
}

function ignoresTriggers(stored: StoredDefinition): boolean {
  const metadata = stored["metadata"];
  const nested = typeof metadata === "object" && metadata !== null && "ignore_triggers" in metadata;
  return (stored["ignore_triggers"] ?? (nested ? metadata.ignore_triggers : false)) === true;
}

// The migration of legacy definitions is not there yet.
function migrateDefinition(stored: unknown): unknown {
  return stored;
}
