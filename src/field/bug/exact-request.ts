export type { ExactRequest } from "../../scenario/index.js";
