/*
 * Loaded into a served process before it starts (`--import`): answers each message of the parent with the memory that
 * is in use after garbage collection. It does not keep the process alive.
 */
/** Memory of a process after garbage collection, MiB. */
export interface UsedMemory {
  readonly heapMiB: number;
  /** Outside the heap: typed arrays and other buffers. */
  readonly buffersMiB: number;
}

if (process.send !== undefined) {
  process.on("message", () => process.send?.(usedMemory()));
  process.channel?.unref();
}

function usedMemory(): UsedMemory {
  // The first collection runs finalizers, the second one frees what they held.
  gc?.();
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return {
    heapMiB: heapUsed / 2 ** 20,
    buffersMiB: external / 2 ** 20,
  };
}
