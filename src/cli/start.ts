#!/usr/bin/env node
import module from "node:module";

// Node 22.1 and later keep compiled code in the folder of temporary files: a second start compiles nothing.
if ("enableCompileCache" in module) (module.enableCompileCache as () => void)();
await import("./main.js");
