/** Style sheet of the explorer, on top of Swagger UI's: a bar with the tokens, the console's type and colours, small screens. */
export const style: string = `
/* The console's colours and type (its tokens.css). Swagger UI has its own dark colours: what stands out is ours. */
:root {
  color-scheme: light;
  --page: #f4f6f8; --surface: #ffffff; --sunken: #edf1f4; --text: #17222c; --muted: #51606d; --border: #dbe2e8; --strong: #80909d;
  --accent: #1a5f96; --accent-fill: #1a5f96; --hover: #eef3f7; --brand: #17324d; --brand-muted: #c9d8e4;
  --read: #1a5f96; --write: #0b7256; --delete: #b3282d; --change: #8f5200;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
:root.dark-mode {
  color-scheme: dark;
  --page: #0e151c; --surface: #151e27; --sunken: #0a1016; --text: #e4eaef; --muted: #9babb8; --border: #293643; --strong: #637686;
  --accent: #7ab8ee; --accent-fill: #2c74ae; --hover: #1d2935; --brand: #12263a; --brand-muted: #b4c6d5;
  --read: #2c74ae; --write: #1d7a60; --delete: #b93a3e; --change: #8a5a14;
}
html { overflow-y: scroll; }
html, html.dark-mode, html.dark-mode .swagger-ui { background: var(--page); }
body { background: var(--page); color: var(--text); font-family: var(--font); }
.lab-bar { background: var(--brand); color: #fff; font: 15px/1.4 var(--font); position: sticky; top: 0; z-index: 10; }
.lab-bar-inner {
  align-items: center; display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between;
  margin: 0 auto; max-width: 1460px; padding: 10px 20px;
}
.lab-name { color: var(--brand-muted); text-decoration: none; white-space: nowrap; }
.lab-name strong { color: #fff; }
.lab-tokens { display: flex; flex-wrap: wrap; gap: 8px 20px; }
.lab-token { align-items: center; display: flex; gap: 8px; }
.lab-token[hidden] { display: none; }
.lab-token label { color: var(--brand-muted); white-space: nowrap; }
.lab-token input {
  background: var(--surface); border: 1px solid transparent; border-radius: 6px; color: var(--text);
  font: 14px/1.4 var(--mono); min-width: 0; padding: 5px 8px; width: 240px;
}
.lab-token button {
  background: none; border: 1px solid #7d97ab; border-radius: 6px; color: #fff; cursor: pointer;
  font: inherit; font-size: 13px; padding: 4px 8px;
}
:root.dark-mode .lab-token input { border-color: var(--strong); }
.lab-bar :focus-visible { outline: 2px solid #5fd3b3; outline-offset: 1px; }

.lab-start { margin: 0 auto; max-width: 1460px; padding: 0 20px; }
.lab-start ul {
  display: grid; gap: 8px; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); list-style: none; margin: 8px 0 4px; padding: 0;
}
.lab-start a {
  background: var(--surface); border: 1px solid var(--border); border-radius: 8px; color: var(--muted); display: block;
  font-size: 13px; height: 100%; padding: 10px 12px; text-decoration: none; box-sizing: border-box;
}
.lab-start a strong { color: var(--accent); display: block; font-size: 15px; font-weight: 600; }
.lab-start a:hover { background: var(--hover); border-color: var(--strong); }
.lab-start a:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }

/* The bar replaces Swagger UI's own authorization dialog. */
.swagger-ui .auth-wrapper, .swagger-ui .authorization__btn { display: none; }
.swagger-ui .scheme-container, .swagger-ui .servers-title, .swagger-ui .servers { display: none; }

.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description,
.swagger-ui .opblock-description-wrapper p, .swagger-ui .btn, .swagger-ui table thead tr td, .swagger-ui table thead tr th,
.swagger-ui .parameter__name, .swagger-ui .parameter__type, .swagger-ui .response-col_status, .swagger-ui .tab li,
.swagger-ui .opblock .opblock-section-header h4, .swagger-ui .info p, .swagger-ui .markdown p, .swagger-ui label {
  color: var(--text); font-family: var(--font);
}
.swagger-ui .info { margin: 20px 0 8px; }
.swagger-ui .info .title { font-size: 24px; font-weight: 700; }
.swagger-ui .info .title small { background: var(--muted); }
.swagger-ui .info .title small.version-stamp { background-color: var(--write); }
.swagger-ui .info .link, .swagger-ui .info .main .link { color: var(--accent); font-size: 13px; }
html .swagger-ui .info .markdown code[class], html .swagger-ui .info .markdown code, html .swagger-ui .markdown code,
html .swagger-ui .renderedMarkdown code, html.dark-mode .swagger-ui .markdown code,
html.dark-mode .swagger-ui .renderedMarkdown code {
  background: var(--sunken); border-radius: 4px; color: var(--text); font-family: var(--mono); padding: 1px 5px;
}
.swagger-ui .filter .operation-filter-input {
  background: var(--surface); border: 1px solid var(--strong); border-radius: 6px; color: var(--text); font-family: var(--font);
  font-size: 14px; margin: 12px 0 4px; max-width: 420px; padding: 8px 10px;
}
.swagger-ui .opblock-tag { border-bottom-color: var(--border); font-size: 17px; font-weight: 600; padding: 8px 4px; }
.swagger-ui .opblock-tag small { color: var(--muted); font-size: 14px; }
html .swagger-ui .opblock[class][class][class] {
  background: var(--surface); border: 1px solid var(--border); border-radius: 8px; box-shadow: none; margin: 0 0 8px;
}
html .swagger-ui .opblock[class][class][class] .opblock-summary { border-color: var(--border); }
.swagger-ui .opblock .opblock-summary:hover { background: var(--hover); border-radius: 8px; }
html .swagger-ui .opblock[class][class][class] .opblock-summary-method {
  background: var(--read); border-radius: 5px; color: #fff; font-family: var(--font); font-size: 12px; min-width: 68px; padding: 5px 0;
  text-shadow: none;
}
html .swagger-ui .opblock.opblock-post[class][class][class] .opblock-summary-method {
  background: var(--write);
}
html .swagger-ui .opblock.opblock-delete[class][class][class] .opblock-summary-method {
  background: var(--delete);
}
html .swagger-ui .opblock.opblock-put[class][class][class] .opblock-summary-method {
  background: var(--change);
}
.swagger-ui .opblock .opblock-summary-path, .swagger-ui .opblock .opblock-summary-path__deprecated {
  color: var(--text); font-family: var(--mono); font-size: 14px; font-weight: 600;
}
.swagger-ui .opblock .opblock-summary-description { color: var(--muted); font-size: 14px; }
html .swagger-ui .opblock[class][class] .opblock-section-header {
  background: var(--sunken); box-shadow: none; min-height: 42px;
}
.swagger-ui .tab li button.tablinks, .swagger-ui .opblock-title_normal { color: var(--text); font-family: var(--font); }
.swagger-ui .btn { border-color: var(--strong); border-radius: 6px; box-shadow: none; font-weight: 500; }
.swagger-ui .btn.execute { background: var(--accent-fill); border-color: var(--accent-fill); color: #fff; }
.swagger-ui .btn.cancel { border-color: var(--delete); }
.swagger-ui input[type=text], .swagger-ui input[type=password], .swagger-ui input[type=search], .swagger-ui select,
.swagger-ui textarea, html.dark-mode .swagger-ui select, html.dark-mode .swagger-ui textarea {
  background-color: var(--surface); border: 1px solid var(--strong); border-radius: 6px; box-shadow: none; color: var(--text);
}
.swagger-ui textarea { font-family: var(--mono); }
.swagger-ui .opblock-body pre.microlight, .swagger-ui .highlight-code > .microlight { border-radius: 6px; }
.swagger-ui .opblock, .swagger-ui .opblock-tag, .swagger-ui .responses-wrapper { scroll-margin-top: 60px; }
/* Every answer is JSON, and none has links. */
.swagger-ui .response-controls, .swagger-ui table.responses-table .response-col_links.response-col_links { display: none; }
.swagger-ui table.parameters > tbody > tr > td.parameters-col_name { padding-right: 16px; }
.swagger-ui .body-param textarea { min-height: 160px; }
.swagger-ui .opblock-body pre.microlight, .swagger-ui .highlight-code > .microlight { font-size: 12px; }

@media (max-width: 700px) {
  .lab-bar { position: static; }
  .lab-bar-inner { padding: 8px 12px; }
  .lab-tokens { flex: 1 1 100%; min-width: 0; }
  .lab-token { flex: 1 1 100%; min-width: 0; }
  .lab-token label { flex: 0 0 72px; }
  .swagger-ui .opblock, .swagger-ui .opblock-tag, .swagger-ui .responses-wrapper { scroll-margin-top: 8px; }
  .lab-token input { flex: 1; }
  .swagger-ui .wrapper, .lab-start { padding: 0 12px; }
  .lab-start ul { grid-template-columns: 1fr 1fr; }
  .swagger-ui .info .title { font-size: 22px; }
  .swagger-ui .info .title small { top: 0; vertical-align: middle; }
  .swagger-ui .opblock-tag { display: block; padding: 10px 36px 10px 0; position: relative; }
  .swagger-ui .opblock-tag small { display: block; padding: 4px 0 0; }
  .swagger-ui .opblock-tag .expand-operation { position: absolute; right: 4px; top: 12px; }
  .swagger-ui .opblock .opblock-summary { align-items: center; padding: 4px; }
  .swagger-ui .opblock .opblock-summary-method { font-size: 12px; min-width: 62px; padding: 6px 0; }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: nowrap; min-width: 0; }
  .swagger-ui .opblock .opblock-summary-path-description-wrapper { flex: 1; gap: 0; min-width: 0; }
  .swagger-ui .opblock .opblock-summary-path { font-size: 13px; max-width: none; padding: 0 8px; }
  .swagger-ui .opblock .opblock-summary-description { font-size: 12px; padding: 0 8px; }
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; gap: 6px; padding: 8px 12px; }
  .swagger-ui .opblock .opblock-section-header .btn { margin: 0 8px 0 0; padding: 5px 14px; }
  .swagger-ui .opblock .tab-header { flex: 1 1 auto; }
  .swagger-ui .opblock-description-wrapper, .swagger-ui .table-container, .swagger-ui .responses-inner { padding: 12px; }
  .swagger-ui table.parameters, .swagger-ui table.parameters > tbody, .swagger-ui table.parameters > tbody > tr,
  .swagger-ui table.parameters > tbody > tr > td { display: block; width: auto; }
  .swagger-ui table.parameters > thead { display: none; }
  .swagger-ui table.parameters > tbody > tr > td { max-width: none; padding: 4px 0; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select,
  .swagger-ui .body-param textarea { max-width: none; width: 100%; }
  .swagger-ui table.responses-table, .swagger-ui table.responses-table > tbody,
  .swagger-ui table.responses-table > tbody > tr, .swagger-ui table.responses-table > tbody > tr > td {
    display: block; min-width: 0; padding: 2px 0; width: 100%;
  }
  .swagger-ui table.responses-table > thead { display: none; }
  .swagger-ui table.responses-table > tbody > tr { border-top: 1px solid var(--border); padding: 8px 0; }
  .swagger-ui .response-col_status { font-weight: 700; }
  .swagger-ui .highlight-code, .swagger-ui .curl-command, .swagger-ui .request-url pre { overflow-x: auto; }
  .swagger-ui .btn-group { padding: 12px; }
}
`;
