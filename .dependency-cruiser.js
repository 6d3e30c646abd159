import { readdirSync } from "node:fs";

/**
 * The rooms of the house and who may import whom: docs/architecture.md, "Rooms".
 * A room names the rooms it may use; everything else is an error. A room's index.ts is its only door.
 */
const parts = {
  base: [],
  schema: ["wire"],
  sim: [],
  measure: [],
  wire: [],
  world: ["sim", "wire"],
  scenario: ["sim", "measure", "wire", "world"],
  expression: ["wire"],
  flow: ["expression", "wire"],
  gateway: ["sim", "wire"],
  account: ["sim", "wire", "expression", "flow", "gateway"],
  ledger: ["wire"],
  store: ["base", "wire", "gateway", "account", "ledger"],
  http: ["base"],
  delivery: ["sim", "measure", "wire", "http"],
  servers: [],
  receiver: ["base", "wire", "servers"],
  api: ["wire", "gateway", "account", "store", "servers", "schema"],
  field: ["base", "wire", "world", "scenario", "store"],
  report: ["base", "measure", "wire", "ledger", "store"],
  expect: ["base", "sim", "measure", "wire", "world", "scenario"],
  console: ["base", "measure", "wire", "servers", "schema"],
  inspect: ["base", "sim", "measure", "wire", "world", "scenario", "flow", "store", "report", "field"],
};

/** One run: all parts but those that show or judge a finished one, or serve it. */
parts.lab = Object.keys(parts).filter(
  (part) => !["servers", "console", "receiver", "api", "report", "inspect", "field"].includes(part),
);

/** What joins the parts: each of these may use all that stands before it. */
const joints = ["exact", "control", "pull", "past", "serve", "run", "fleet", "study", "testing", "cli"];

const rooms = {
  ...parts,
  ...Object.fromEntries(joints.map((room, index) => [room, [...Object.keys(parts), ...joints.slice(0, index)]])),
};

const directions = Object.entries(rooms).map(([room, uses]) => ({
  name: `${room}-imports`,
  severity: "error",
  comment: `src/${room} may import ${uses.length === 0 ? "no other room" : uses.join(", ")}`,
  from: { path: `^src/${room}/` },
  to: { path: "^src/", pathNot: `^src/(${[room, ...uses].join("|")})/` },
}));

/**
 * The layers of the console's page, the lowest first: docs/architecture.md, "The console". A folder imports from the layers
 * below its own; folders of one layer do not know each other.
 */
const belowViews = [["format", "design", "navigation", "connection"], ["domain"], ["charts", "phone", "bug", "time"]];

/** Every other folder is a view, which no other view may import. */
const views = readdirSync(new URL("src/console/page", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && ![...belowViews.flat(), "shell"].includes(entry.name))
  .map(({ name }) => name);

const pageLayers = [...belowViews, views, ["shell"]];

const page = "^src/console/page/";

const pageDirections = pageLayers.flatMap((folders, layer) => {
  const below = pageLayers.slice(0, layer).flat();
  return folders.map((folder) => ({
    name: `page-${folder}-imports`,
    severity: "error",
    comment: `${folder}/ of the console's page may import ${below.length === 0 ? "no other folder" : below.join(", ")}`,
    from: { path: `${page}${folder}/` },
    to: { path: page, pathNot: `${page}(${[folder, ...below].join("|")})/` },
  }));
});

export default {
  forbidden: [
    ...directions,
    ...pageDirections,
    {
      name: "doors",
      severity: "error",
      comment: "a room is entered through its index.ts",
      from: { path: "^src/([^/]+)/" },
      to: { path: "^src/[^/]+/", pathNot: ["^src/$1/", "^src/[^/]+/index\\.ts$"] },
    },
    {
      name: "sheet-knows-no-language",
      severity: "error",
      comment:
        "scenario/sheet reads YAML with positions for any language: what it must know of one, it gets as a Language",
      from: { path: "^src/scenario/sheet/" },
      to: { path: "^src/", pathNot: "^src/scenario/sheet/" },
    },
    {
      name: "page-stands-alone",
      severity: "error",
      comment: "the console's page runs in a browser: it shares only the protocol with the server",
      from: { path: "^src/console/page/" },
      to: { path: "^src/", pathNot: "^src/console/(page|protocol)/" },
    },
    {
      name: "protocol-stands-alone",
      severity: "error",
      comment: "the console's page bundles the protocol; schemas stay on the server, the page has their types",
      from: { path: "^src/console/protocol/" },
      to: { path: "^(src|node_modules)/|^node:", pathNot: "^src/(console/protocol|schema)/" },
    },
    {
      name: "core-is-pure",
      severity: "error",
      comment: "clocks, files and sockets come in through interfaces, so that runs can be replayed",
      from: { path: "^src/(sim|measure|wire|world|scenario|expression|flow|gateway|account|ledger|expect)/" },
      to: {
        path: "^(node:|fs|net|http)|^(fs|path|crypto|http|https|net|tls|os|child_process|worker_threads|timers)(/|$)|node_modules/(fastify|ws|better-sqlite3)/",
      },
    },
    {
      name: "one-file-opens-databases",
      severity: "error",
      comment: "what better-sqlite3 makes must never be collected: store/sqlite/connection.ts sees to it",
      from: { path: "^src/", pathNot: "^src/store/sqlite/connection\\.ts$" },
      to: { path: "node_modules/better-sqlite3/" },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    { name: "known", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] },
  },
};
