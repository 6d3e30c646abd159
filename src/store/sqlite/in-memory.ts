import { Connection } from "./connection.js";

/**
 * Opens a copy of a database in memory.
 *
 * @param bytes - a whole SQLite file; two bytes are changed in place
 */
export function openInMemory(bytes: Buffer): Connection {
  // Bytes 18 and 19 of the file are 2 for WAL mode (sqlite.org/fileformat.html 1.3.3), which a database in memory does
  // not support.
  bytes[18] = 1;
  bytes[19] = 1;
  return new Connection(bytes);
}
