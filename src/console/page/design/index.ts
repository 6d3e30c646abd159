/**
 * The component kit of the views. Colours, spacing and type sizes: `tokens.css`; elements and the helper
 * classes (`design-row`, `design-line`, `design-stack`, `design-frame`, `design-muted`, `design-aside`, `design-cut`, …):
 * `base.css`. A style sheet of a view does not repeat what a helper class says.
 *
 * - Press: `Button`, `IconButton`, `LinkButton`, `CopyButton`, `Menu`, `Popover`
 * - Enter: `Input`, `Textarea`, `Select`, `Checkbox`, `Toggle`, `SearchBox`, `FieldFrame`
 * - Frame: `ViewHead` (top of a view, its h1), `Panel` (h2..h4), `Tabs`, `Dialog`, `ConfirmDialog`
 * - Rows: `DataTable` (up to some hundreds), `VirtualList` (up to millions), `Pager`, `Facts`, `Stat`
 * - Say: `Badge`, `Note`, `EmptyState`, `ErrorNote`, `Loading`, `toastDone`, `toastFailed`
 * - Show: `Icon`, `BatteryIcon`, `SignalIcon`; for canvases `colourOf`
 * - Remember: `keptChoice` (in the browser), `theme`
 *
 * The kit is independent of the lab. Numbers and spans: `format/`. Terms of the lab (a handset's state, an outcome, virtual time): `domain/`. Requests: `connection/use-request.ts`.
 */
// First, so that the style sheet of a component can refine a helper class.
import "./tokens.css";
import "./base.css";
export * from "./badge.jsx";
export * from "./button.jsx";
export * from "./copy-button.jsx";
export * from "./data-table.jsx";
export * from "./dialog.jsx";
export * from "./download.js";
export * from "./field.jsx";
export * from "./icon.jsx";
export * from "./kept-choice.js";
export * from "./menu.jsx";
export * from "./notes.jsx";
export * from "./pager.jsx";
export * from "./panel.jsx";
export * from "./search-box.jsx";
export * from "./tabs.jsx";
export * from "./theme.js";
export * from "./toasts.jsx";
export * from "./virtual-list.jsx";
