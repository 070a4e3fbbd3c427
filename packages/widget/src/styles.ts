/**
 * Constructed style sheets are allowed by every content security policy. Pages set the custom properties; nothing else of
 * their styles reaches the widget.
 */
const CSS = `
:host { all: initial !important; display: contents !important; }
:host([inline]) { display: block !important; block-size: var(--latchkey-height, 600px) !important; }
:host([hidden]) { display: none !important; }
* { box-sizing: border-box; font: inherit; color: inherit; margin: 0; }
[hidden] { display: none !important; }
.root {
  --accent: var(--latchkey-accent, var(--site-accent, #0b57d0));
  --on-accent: var(--latchkey-on-accent, var(--site-on-accent, #fff));
  --link: var(--latchkey-link, var(--latchkey-accent, var(--site-link, #0b57d0)));
  --surface: var(--latchkey-surface, #fff);
  --text: var(--latchkey-text, #1b1c1f);
  --muted: var(--latchkey-muted, #5c6066);
  --line: var(--latchkey-line, #e1e3e8);
  --soft: var(--latchkey-soft, #f3f4f7);
  --alert: #c5221f;
  --radius: var(--latchkey-radius, 16px);
  color-scheme: light;
  font: 15px/1.5 var(--latchkey-font, system-ui, sans-serif);
  color: var(--text); text-align: start; letter-spacing: normal; white-space: normal; word-spacing: normal;
}
.root[data-scheme=dark] {
  --accent: var(--latchkey-accent, var(--site-accent, #a8c7fa));
  --on-accent: var(--latchkey-on-accent, var(--site-on-accent, #062e6f));
  --link: var(--latchkey-link, var(--latchkey-accent, var(--site-link, #a8c7fa)));
  --surface: var(--latchkey-surface, #1e1f22); --text: var(--latchkey-text, #e8eaed);
  --muted: var(--latchkey-muted, #a9adb4); --line: var(--latchkey-line, #3c3f45);
  --soft: var(--latchkey-soft, #2a2c30); --alert: #f28b82;
  color-scheme: dark;
}
.root[data-inline] { block-size: 100%; }
button { background: none; border: 0; padding: 8px; border-radius: 8px; cursor: pointer; text-align: start; }
button:disabled { cursor: default; }
a { color: var(--link); }
:is(button, a, summary, div, pre):focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
svg { display: block; inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }

.launcher, dialog.panel {
  position: fixed; z-index: var(--latchkey-z-index, 2147483000);
  inset-block: auto 20px; inset-inline: auto 20px;
}
.root[data-position=left] :is(.launcher, dialog.panel) { left: 20px; right: auto; }
.root[data-position=right] :is(.launcher, dialog.panel) { left: auto; right: 20px; }
.launcher {
  display: flex; align-items: center; gap: 8px; padding: 13px 20px; border-radius: 999px; font-weight: 600;
  background: var(--accent); color: var(--on-accent); box-shadow: 0 2px 6px rgb(0 0 0 / .16), 0 8px 24px rgb(0 0 0 / .2);
  inset-block-end: calc(20px + var(--place, 0) * 64px);
}
.launcher:focus-visible { outline-offset: 3px; }
.launcher svg { inline-size: 22px; block-size: 22px; }

.panel {
  display: flex; flex-direction: column; padding: 0; inline-size: 400px; max-inline-size: calc(100vw - 40px);
  block-size: 640px; max-block-size: calc(100dvh - 40px); background: var(--surface); color: var(--text);
  border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden;
  box-shadow: 0 4px 12px rgb(0 0 0 / .08), 0 16px 48px rgb(0 0 0 / .22);
}
dialog.panel:not([open]) { display: none; }
dialog.panel::backdrop { background: none; }
.root[data-inline] .panel { inline-size: 100%; max-inline-size: none; block-size: 100%; max-block-size: none; box-shadow: none; }
.missing { padding: 16px; color: var(--muted); }

.head { display: flex; align-items: center; gap: 4px; padding: 10px 10px 10px 18px; border-block-end: 1px solid var(--line); }
[dir=rtl] .head { padding: 10px 18px 10px 10px; }
h1, h2 { flex: 1; font-size: 16px; font-weight: 650; overflow-wrap: anywhere; }
.head button, .rate button { color: var(--muted); }
:is(.head button, .rate button):hover { color: var(--text); background: var(--soft); }

.log { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 18px; display: flex; flex-direction: column; gap: 18px; } .log:focus-visible { outline-offset: -3px; }
.greeting { white-space: pre-line; overflow-wrap: anywhere; }
.turn { display: flex; flex-direction: column; gap: 10px; overflow-wrap: anywhere; }
.mine {
  align-self: flex-end; max-inline-size: 85%; padding: 9px 14px; white-space: pre-wrap;
  background: var(--accent); color: var(--on-accent); border-radius: 18px; border-end-end-radius: 5px;
}
.answer:empty { display: none; }
.answer > * + * { margin-block-start: 8px; }
:is(.answer ul, .answer ol) { padding-inline-start: 22px; }
strong { font-weight: 650; }
code { font-family: ui-monospace, monospace; font-size: .9em; background: var(--soft); padding: 1px 4px; border-radius: 4px; }
pre { background: var(--soft); padding: 10px 12px; border-radius: 8px; overflow-x: auto; white-space: pre; }
pre code { background: none; padding: 0; }
.cite {
  display: inline-block; min-inline-size: 18px; padding: 0 5px; margin-inline: 2px; font-size: 12px; line-height: 18px; font-weight: 600;
  text-align: center; background: var(--soft); color: var(--link); border-radius: 6px; vertical-align: 1px;
}
.cite:hover { text-decoration: underline; }

.dots { display: flex; gap: 5px; padding: 8px 2px; }
.dots i { inline-size: 7px; block-size: 7px; border-radius: 50%; background: var(--muted); }
.note { color: var(--muted); font-size: 14px; }
.alert { color: var(--text); background: var(--soft); border-inline-start: 3px solid var(--alert); padding: 10px 12px; border-radius: 6px; }

details { font-size: 14px; }
summary { cursor: pointer; color: var(--muted); font-weight: 500; inline-size: fit-content; border-radius: 6px; }
summary:hover { color: var(--text); }
details ol { list-style: none; padding: 0; margin-block-start: 8px; display: grid; gap: 8px; }
details li { display: flex; gap: 10px; padding: 10px 12px; border: 1px solid var(--line); border-radius: 10px; }
details li > div { flex: 1; min-inline-size: 0; }
details li:focus { outline: 2px solid var(--link); outline-offset: -1px; }
.number { color: var(--muted); font-weight: 600; }
.place { color: var(--muted); font-size: 13px; }
.place:empty { display: none; }
.snippet { margin-block-start: 4px; display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; }
.rate { display: flex; gap: 2px; align-items: center; color: var(--muted); font-size: 14px; margin-inline-start: -6px; }
.rate button { padding: 6px; }
.rate span { margin-inline-start: 6px; }
.rate svg { inline-size: 18px; block-size: 18px; }
.rate [aria-pressed=true] { color: var(--link); background: var(--soft); }

.suggestions { display: flex; flex-wrap: wrap; gap: 8px; }
.suggestions button { border: 1px solid var(--line); padding: 8px 14px; border-radius: 18px; color: var(--link); overflow-wrap: anywhere; }
.suggestions button:hover { background: var(--soft); border-color: var(--link); }

.foot { padding: 12px; display: grid; gap: 8px; border-block-start: 1px solid var(--line); }
.foot:empty { display: none; }
form { display: flex; gap: 4px; align-items: flex-end; border: 1px solid var(--muted); border-radius: 14px; padding: 4px; background: var(--surface); }
form:focus-within { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
textarea {
  flex: 1; min-inline-size: 0; resize: none; max-block-size: 140px; padding: 6px 8px; border: 0; background: none; font-size: 16px; line-height: 1.5;
}
textarea:focus-visible { outline: none; }
textarea::placeholder { color: var(--muted); opacity: 1; }
.send { background: var(--accent); color: var(--on-accent); border-radius: 10px; }
.send:disabled { background: var(--line); color: var(--muted); }
.contact { font-size: 14px; }
.foot .contact { text-align: center; }
.contact button { padding: 0; color: var(--link); text-decoration: underline; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 480px) {
  dialog.panel, .root[data-position] dialog.panel {
    inset: 0; inline-size: 100%; max-inline-size: none; block-size: 100dvh; max-block-size: none; border-radius: 0; border: 0;
  }
  .launcher { padding: 15px; }
  .launcher span { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .launcher svg { inline-size: 26px; block-size: 26px; }
}
@media (prefers-reduced-motion: no-preference) {
  .launcher { transition: transform .15s; } .launcher:hover { transform: translateY(-2px); }
  dialog.panel[open] { animation: rise .18s ease-out; }
  .dots i { animation: wait 1.2s infinite ease-in-out; } .dots i:nth-child(2) { animation-delay: .15s; } .dots i:nth-child(3) { animation-delay: .3s; }
  @keyframes rise { from { opacity: 0; transform: translateY(12px); } }
  @keyframes wait { 0%, 60%, 100% { opacity: .35; } 30% { opacity: 1; transform: translateY(-3px); } }
}
@media (forced-colors: active) { .launcher, .send, .mine, .cite { border: 1px solid; } }
@media print { .launcher, dialog.panel { display: none; } }
`;

let sheet: CSSStyleSheet | undefined;

/** @param root in which the widget is */
export function addStyles(root: ShadowRoot): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  root.adoptedStyleSheets = [sheet];
}
