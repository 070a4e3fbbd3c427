const KEY = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5f4a"/><circle cx="12" cy="16" r="5" fill="none" stroke="#fff" stroke-width="3"/><path d="M17 16h10m-3 0v5" stroke="#fff" stroke-width="3" fill="none"/></svg>`;

/** The console’s icon, as a data URL: the page loads nothing from elsewhere. */
export const SWAGGER_UI_ICON = `data:image/svg+xml,${encodeURIComponent(KEY)}`;

/** Styles the page around Swagger UI, and makes its contents more compact. */
export const SWAGGER_UI_STYLE = `
body { margin: 0; background: #fafafa; }
html.dark-mode body { background: #1c2022; }
body > header {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 4px 24px;
  padding: 10px max(20px, calc(50vw - 710px)); background: #12372b; color: #fff; font: 15px/32px system-ui, sans-serif;
}
body > header strong {
  font-size: 22px; padding-left: 44px;
  background: url("${SWAGGER_UI_ICON}") no-repeat left center / 32px;
}
body > header a { color: #96e3c5; margin-right: 16px; }
.swagger-ui :is(.info, .markdown, .renderedMarkdown) a { color: #1b6a4f; }
html.dark-mode .swagger-ui :is(.info, .markdown, .renderedMarkdown) a { color: #74d6b1; }
.swagger-ui .btn.authorize { border-color: #17683c; color: #17683c; }
.swagger-ui .btn.authorize svg { fill: #17683c; }
html.dark-mode .swagger-ui .btn.authorize { border-color: #88dca7; color: #88dca7; }
html.dark-mode .swagger-ui .btn.authorize svg { fill: #88dca7; }
.swagger-ui .info .title small.version-stamp, .swagger-ui .info .title small { background: #57635d; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #17683c; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #2f5fc4; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #7a5200; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f6b62; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #a8241d; }
.swagger-ui .info { margin: 28px 0 20px; }
.swagger-ui .info .link { display: none; }
.swagger-ui .info table { max-width: 60em; }
.swagger-ui .info table th, .swagger-ui .info table td { padding-right: 12px; }
.swagger-ui .info details summary { cursor: pointer; font-size: 14px; }
.swagger-ui .scheme-container { padding: 16px 0; }
.swagger-ui .scheme-container .servers-title, .swagger-ui .scheme-container .servers { display: none; }
.swagger-ui .filter-container .operation-filter-input { width: min(100%, 28em); margin: 12px 0 0; padding: 8px 10px; font: 15px system-ui, sans-serif; }
.swagger-ui .response.folded .response-col_status { padding-top: 10px; }
.swagger-ui .response.folded .markdown p { margin: 0 0 4px; font-size: 14px; }
.swagger-ui .response.folded button {
  border: 0; padding: 4px 0; background: none; color: #1b6a4f; font: inherit; font-size: 12px; cursor: pointer;
}
.swagger-ui .response-col_links pre { overflow-x: auto; }
@media (max-width: 640px) {
  .swagger-ui .response-col_description code { overflow-wrap: anywhere; white-space: normal; }
  .swagger-ui .info details thead { display: none; }
  .swagger-ui .info details table, .swagger-ui .info details tbody, .swagger-ui .info details tr { display: block; }
  .swagger-ui .info details tr > td { display: inline-block; width: auto; min-width: 0; padding: 4px 8px 0 0; vertical-align: baseline; }
  .swagger-ui .info details td:last-child { display: block; padding-bottom: 12px; }
  .swagger-ui .opblock-summary .view-line-link { display: none; }
  .swagger-ui .live-responses-table .microlight { padding-bottom: 44px; }
  .swagger-ui .responses-table > thead { display: none; }
  .swagger-ui .responses-table, .swagger-ui .responses-table > tbody,
  .swagger-ui .responses-table > tbody > tr, .swagger-ui .responses-table > tbody > tr > td {
    display: block; width: auto; max-width: none;
  }
  .swagger-ui .responses-table > tbody > tr.folded { display: flex; gap: 16px; }
  .swagger-ui .response .headers thead { display: none; }
  .swagger-ui .response .headers tbody, .swagger-ui .response .headers tr, .swagger-ui .response .headers td {
    display: block; width: auto; padding: 0 0 4px;
  }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { flex: 1 0 100%; order: 1; padding: 4px 0 0; }
}
`;
