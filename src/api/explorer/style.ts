/** Style sheet of the explorer, on top of Swagger UI's: a bar with the tokens, calmer colours, small screens. */
export const style: string = `
:root { color-scheme: light; }
html { overflow-y: scroll; }
body { background: #f6f8f9; }
.lab-bar { background: #17324d; color: #fff; font: 15px/1.4 system-ui, sans-serif; position: sticky; top: 0; z-index: 10; }
.lab-bar-inner {
  align-items: center; display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between;
  margin: 0 auto; max-width: 1460px; padding: 10px 20px;
}
.lab-name { color: #d7e3ec; text-decoration: none; white-space: nowrap; }
.lab-name strong { color: #fff; }
.lab-tokens { display: flex; flex-wrap: wrap; gap: 8px 20px; }
.lab-token { align-items: center; display: flex; gap: 8px; }
.lab-token[hidden] { display: none; }
.lab-token label { color: #d7e3ec; white-space: nowrap; }
.lab-token input {
  background: #fff; border: 1px solid transparent; border-radius: 4px; color: #17324d;
  font: 14px/1.4 ui-monospace, monospace; min-width: 0; padding: 5px 8px; width: 240px;
}
.lab-token button {
  background: none; border: 1px solid #7d97ab; border-radius: 4px; color: #fff; cursor: pointer;
  font: inherit; font-size: 13px; padding: 4px 8px;
}
.lab-bar :focus-visible { outline: 2px solid #5fd3b3; outline-offset: 1px; }

/* The bar replaces Swagger UI's own authorization dialog. */
.swagger-ui .auth-wrapper, .swagger-ui .authorization__btn { display: none; }
.swagger-ui .scheme-container, .swagger-ui .servers-title, .swagger-ui .servers { display: none; }

.swagger-ui .info { margin: 24px 0 8px; }
.swagger-ui .info .title { color: #17324d; font-size: 28px; }
.swagger-ui .info .title small.version-stamp { background-color: #0f8a6b; }
.swagger-ui .info .link, .swagger-ui .info .main .link { font-size: 13px; }
.swagger-ui .filter .operation-filter-input { border: 1px solid #c3ced6; border-radius: 4px; margin: 12px 0; max-width: 420px; }
.swagger-ui .opblock-tag { border-bottom-color: #dce3e8; font-size: 20px; }
.swagger-ui .opblock-tag small { font-size: 14px; }
.swagger-ui .opblock { border-radius: 4px; box-shadow: none; }
.swagger-ui .opblock .opblock-summary-path { font-size: 15px; }
.swagger-ui .opblock, .swagger-ui .opblock-tag { scroll-margin-top: 60px; }
/* Every answer is JSON, and none has links. */
.swagger-ui .response-controls, .swagger-ui table.responses-table .response-col_links.response-col_links { display: none; }
.swagger-ui table.parameters > tbody > tr > td.parameters-col_name { padding-right: 16px; }
.swagger-ui .body-param textarea { min-height: 160px; }
.swagger-ui .opblock-body pre.microlight, .swagger-ui .highlight-code > .microlight { font-size: 12px; }

@media (max-width: 700px) {
  .lab-bar-inner { padding: 8px 12px; }
  .lab-tokens { flex: 1 1 100%; }
  .lab-token { flex: 1 1 100%; }
  .lab-token label { flex: 0 0 72px; }
  .swagger-ui .opblock, .swagger-ui .opblock-tag { scroll-margin-top: 90px; }
  .lab-token input { flex: 1; }
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .info .title { font-size: 22px; }
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
  .swagger-ui table.responses-table > tbody > tr { border-top: 1px solid #dce3e8; padding: 8px 0; }
  .swagger-ui .response-col_status { font-weight: 700; }
  .swagger-ui .highlight-code, .swagger-ui .curl-command, .swagger-ui .request-url pre { overflow-x: auto; }
  .swagger-ui .btn-group { padding: 12px; }
}
`;
