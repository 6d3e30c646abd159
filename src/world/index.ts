export * from "./selector.js";
export * from "./cast.js";
export * from "./input.js";
export * from "./ports.js";
export * from "./profile.js";
