/** Every writer fills the tables directly. Once released this text is never edited: a change is a new migration. */
export const noBatches = "DROP TABLE batch;";
