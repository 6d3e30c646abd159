import {
  DefinitionError,
  type FlowDefinition,
  migrateDefinition,
  MigrationError,
  readDefinition,
} from "../../flow/index.js";
import type { FieldTable } from "../fields.js";
import type { FlowDefinition as StoredDefinition, FlowRow, FlowTable } from "../flows.js";

/** Units of work to read a character of a definition. */
const UNITS = 0.03;

/** Types of the account's flows by UUID, and of its fields by key. */
type KnownTypes = Pick<NonNullable<Parameters<typeof migrateDefinition>[1]>, "flowTypes" | "fieldTypes">;

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
  readonly #fields: Pick<FieldTable, "types">;
  readonly #note: (kind: string, text: string) => void;
  /** By flow id; undefined: it cannot run. */
  readonly #read = new Map<number, RunnableFlow | undefined>();
  /** By the numbers of the exporting database; undefined: not read. */
  #uuidsByNumber: Map<unknown, string> | undefined;

  /** @param options - `note`: writes a sentence to the log of the run */
  constructor(options: {
    readonly tables: { readonly flows: FlowTable; readonly fields: Pick<FieldTable, "types"> };
    readonly note: (kind: string, text: string) => void;
  }) {
    this.#table = options.tables.flows;
    this.#fields = options.tables.fields;
    this.#note = options.note;
  }

  /** @returns undefined when the flow cannot run; the log says why, once */
  of(flow: FlowRow): RunnableFlow | undefined {
    if (this.#read.has(flow.id)) return this.#read.get(flow.id);
    const runnable = this.#readFlow(flow);
    this.#read.set(flow.id, runnable);
    return runnable;
  }

  /**
   * Those of the flows with these UUIDs that can be read and are not archived. Nothing is logged of the others, and
   * nothing is kept: a flow is read when it first runs, because the account's fields and other flows may change until
   * then.
   */
  *readable(uuids: ReadonlySet<string>): Generator<FlowDefinition, void> {
    const known = this.#knownTypes();
    for (const flow of this.#table.all()) {
      if (flow.isArchived || !uuids.has(flow.uuid)) continue;
      const read = this.#read.get(flow.id) ?? this.#attempt(flow, known);
      if (read !== undefined && !("fault" in read)) yield read.definition;
    }
  }

  /** A flow was added, or its definition replaced. */
  forget(flow: number): void {
    this.#read.delete(flow);
    this.#uuidsByNumber = undefined;
  }

  #knownTypes(): KnownTypes {
    return { flowTypes: typesOf(this.#table), fieldTypes: this.#fields.types() };
  }

  #nativeOf(stored: StoredDefinition, known: KnownTypes): unknown {
    return migrateDefinition(stored, {
      ...known,
      // Numbers identify rows of the exporting database. Groups and labels were imported by their names.
      idUuid: (kind, id) => (kind === "flow" ? this.#uuidOfNumber(id) : ""),
    });
  }

  /** The flow that the exporting database knew by a number: definitions before version 9 have it in their metadata. */
  #uuidOfNumber(id: unknown): string | undefined {
    if (this.#uuidsByNumber === undefined) {
      this.#uuidsByNumber = new Map();
      for (const { id: row, uuid } of this.#table.all()) {
        const number = numberOf(this.#table.definition(row));
        if (!this.#uuidsByNumber.has(number)) this.#uuidsByNumber.set(number, uuid);
      }
    }
    return this.#uuidsByNumber.get(id);
  }

  #readFlow(flow: FlowRow): RunnableFlow | undefined {
    const read = this.#attempt(flow, this.#knownTypes());
    if (read === undefined || !("fault" in read)) return read;
    this.#note("flow-unreadable", `flow '${flow.name}' cannot run: ${read.fault}`);
    return undefined;
  }

  /** Undefined: the flow has no definition. */
  #attempt(flow: FlowRow, known: KnownTypes): RunnableFlow | { readonly fault: string } | undefined {
    const stored = this.#table.definition(flow.id);
    if (stored === undefined) return undefined;
    try {
      const language = stored["base_language"] ?? stored["language"];
      return {
        definition: { ...readDefinition(this.#nativeOf(stored, known)), work: JSON.stringify(stored).length * UNITS },
        baseLanguage: typeof language === "string" ? language : "und",
        ignoresTriggers: ignoresTriggers(stored),
      };
    } catch (error) {
      if (!(error instanceof DefinitionError || error instanceof MigrationError)) throw error;
      return { fault: error.message };
    }
  }
}

/** Types of all flows by UUID: before version 11.10 a flow could enter one of another type. */
function typesOf(table: FlowTable): ReadonlyMap<string, string> {
  return new Map(table.all().map(({ uuid, type }) => [uuid, type]));
}

function ignoresTriggers(stored: StoredDefinition): boolean {
  const metadata = stored["metadata"];
  const nested = typeof metadata === "object" && metadata !== null && "ignore_triggers" in metadata;
  return (stored["ignore_triggers"] ?? (nested ? metadata.ignore_triggers : false)) === true;
}

function numberOf(stored: StoredDefinition | undefined): unknown {
  const metadata = stored?.["metadata"];
  const nested = typeof metadata === "object" && metadata !== null && "id" in metadata ? metadata.id : undefined;
  return nested ?? stored?.["id"];
}
