import { type FlowDefinition, type MigrationOptions, readAnyDefinition } from "../../flow/index.js";
import { uuidsOfFlowNumbers } from "../definitions/index.js";
import type { FieldTable } from "../fields.js";
import type { FlowJson as StoredDefinition, FlowRow, FlowTable } from "../flows.js";

/** Units of work to read a character of a definition. */
const UNITS = 0.03;

/** A flow that can run. */
export interface RunnableFlow {
  readonly definition: FlowDefinition;
  /** ISO 639-3, as the stored definition has it; "und": unset. */
  readonly baseLanguage: string;
  /** Keyword triggers do not interrupt the flow. */
  readonly ignoresTriggers: boolean;
}

/** The account's flows in the form that the runner executes, each read on first use. */
export class FlowDefinitions {
  readonly #table: FlowTable;
  readonly #fields: Pick<FieldTable, "types">;
  readonly #note: (kind: string, text: string) => void;
  /** By flow id; undefined for a flow that cannot run. */
  readonly #read = new Map<number, RunnableFlow | undefined>();
  /** Undefined until the numbers of the flows are read. */
  #uuidsOfNumbers: MigrationOptions["idUuid"];

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
   * The flows with these UUIDs, without those that are archived or cannot run, which it does not log. The definitions
   * are not kept for {@link of}: fields and other flows may change before a flow first runs.
   */
  *readable(uuids: ReadonlySet<string>): Generator<FlowDefinition, void> {
    const known = this.#surroundings();
    for (const flow of this.#table.all()) {
      if (flow.isArchived || !uuids.has(flow.uuid)) continue;
      const read = this.#read.get(flow.id) ?? this.#attempt(flow, known);
      if (read !== undefined && !("fault" in read)) yield read.definition;
    }
  }

  /** Called when a flow was added, or its definition replaced. */
  forget(flow: number): void {
    this.#read.delete(flow);
    this.#uuidsOfNumbers = undefined;
  }

  #surroundings(): MigrationOptions {
    return {
      flowTypes: typesOf(this.#table),
      fieldTypes: this.#fields.types(),
      idUuid: (kind, id) => this.#uuidOfNumber(kind, id),
    };
  }

  /** Reads the numbers on first use: only definitions before version 9 refer to them. */
  #uuidOfNumber(kind: string, id: unknown): string | undefined {
    this.#uuidsOfNumbers ??= uuidsOfFlowNumbers(
      this.#table.all().map(({ id: row, uuid }) => ({ uuid, definition: this.#table.definition(row) })),
    );
    return this.#uuidsOfNumbers(kind, id);
  }

  #readFlow(flow: FlowRow): RunnableFlow | undefined {
    const read = this.#attempt(flow, this.#surroundings());
    if (read === undefined || !("fault" in read)) return read;
    this.#note("flow-unreadable", `flow '${flow.name}' cannot run: ${read.fault}`);
    return undefined;
  }

  /** Reads a flow; undefined when it has no definition. */
  #attempt(flow: FlowRow, known: MigrationOptions): RunnableFlow | { readonly fault: string } | undefined {
    const stored = this.#table.definition(flow.id);
    if (stored === undefined) return undefined;
    const read = readAnyDefinition(stored, known);
    if ("fault" in read) return read;
    const language = stored["base_language"] ?? stored["language"];
    return {
      definition: { ...read.definition, work: JSON.stringify(stored).length * UNITS },
      baseLanguage: typeof language === "string" ? language : "und",
      ignoresTriggers: ignoresTriggers(stored),
    };
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
