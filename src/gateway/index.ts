export * from "./journal.js";
