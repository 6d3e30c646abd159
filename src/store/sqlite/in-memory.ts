import { Connection } from "./connection.js";

/**
 * Opens a copy of a database in memory.
 *
 * @param bytes - a whole SQLite file; it is changed
 */
export function openInMemory(bytes: Buffer): Connection {
  // Bytes 18 and 19 of the file say WAL (sqlite.org/fileformat.html 1.3.3), which memory cannot do.
  bytes[18] = 1;
  bytes[19] = 1;
  return new Connection(bytes);
}
