import type { Resource } from "../resource.js";
import { labels } from "./labels.js";

/** Every resource of the API, in the order of the documentation. */
export const resources: readonly Resource[] = [labels];
