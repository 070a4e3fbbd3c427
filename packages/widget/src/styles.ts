/**
 * Constructed style sheets are allowed by every content security policy. Pages set the custom properties; nothing else of
 * their styles reaches the widget.
 */
const CSS = `
:host { all: initial !important; display: contents !important; }
:host([hidden]) { display: none !important; }
* { box-sizing: border-box; font: inherit; color: inherit; margin: 0; }
[hidden] { display: none !important; }
.root {
  --accent: var(--latchkey-accent, #0b57d0);
  --on-accent: var(--latchkey-on-accent, #fff);
  --surface: var(--latchkey-surface, #fff);
  --text: var(--latchkey-text, #1b1c1f);
  --muted: var(--latchkey-muted, #5c6066);
  --line: var(--latchkey-line, #d9dbe0);
  --mine: var(--latchkey-mine, #eef1f6);
  font: 15px/1.5 var(--latchkey-font, system-ui, sans-serif);
  color: var(--text); text-align: start; letter-spacing: normal; white-space: normal;
}
.root[data-scheme=dark] {
  --accent: var(--latchkey-accent, #a8c7fa); --on-accent: var(--latchkey-on-accent, #062e6f);
  --surface: var(--latchkey-surface, #1e1f22); --text: var(--latchkey-text, #e8eaed);
  --muted: var(--latchkey-muted, #a9adb4); --line: var(--latchkey-line, #44474d);
  --mine: var(--latchkey-mine, #2d2f34);
}
.launcher, .panel { position: fixed; z-index: var(--latchkey-z-index, 2147483000); inset-block-end: 20px; inset-inline-end: 20px; }
.root[data-position=left] :is(.launcher, .panel) { inset-inline: 20px auto; }
.launcher {
  display: flex; align-items: center; gap: 8px; padding: 12px 18px; border: 0; border-radius: 999px;
  background: var(--accent); color: var(--on-accent); cursor: pointer; box-shadow: 0 4px 16px rgb(0 0 0 / .25);
}
.root[data-inline] .panel { position: static; inline-size: 100%; block-size: 100%; max-block-size: none; box-shadow: none; border-radius: 0; border: 0; }
.panel {
  display: flex; flex-direction: column; inline-size: 400px; max-inline-size: calc(100vw - 40px);
  block-size: 620px; max-block-size: calc(100dvh - 40px); background: var(--surface);
  border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 8px 40px rgb(0 0 0 / .28); overflow: hidden;
}
header { display: flex; align-items: center; gap: 8px; padding: 12px 16px; border-block-end: 1px solid var(--line); }
h2 { flex: 1; font-weight: 600; overflow-wrap: anywhere; }
button { background: none; border: 0; padding: 6px; border-radius: 8px; cursor: pointer; }
button:disabled { cursor: default; opacity: .5; }
:is(button, a, textarea, summary):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
svg { display: block; inline-size: 20px; block-size: 20px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.log { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 16px; display: flex; flex-direction: column; gap: 14px; }
.log > * { max-inline-size: 100%; overflow-wrap: anywhere; }
.mine { align-self: flex-end; background: var(--mine); padding: 8px 12px; border-radius: 12px; white-space: pre-wrap; }
.answer > * + * { margin-block-start: 8px; }
ul, ol { padding-inline-start: 22px; }
a { color: var(--accent); }
strong { font-weight: 600; }
code { font-family: ui-monospace, monospace; font-size: .92em; }
.cite { font-size: .8em; text-decoration: none; vertical-align: super; line-height: 1; }
.writing, .note, summary, .place { color: var(--muted); font-size: .93em; }
.alert { border-inline-start: 3px solid #c5221f; padding-inline-start: 10px; }
details > ol { margin-block-start: 6px; list-style: none; padding: 0; display: grid; gap: 8px; }
summary { cursor: pointer; }
.snippet { font-size: .9em; display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; }
.rate { display: flex; gap: 4px; align-items: center; color: var(--muted); }
.rate svg { inline-size: 17px; block-size: 17px; }
.rate [aria-pressed=true] { color: var(--accent); }
.suggestions { display: flex; flex-wrap: wrap; gap: 8px; }
.suggestions button { border: 1px solid var(--line); padding: 6px 12px; border-radius: 999px; text-align: start; }
form { display: flex; gap: 8px; align-items: flex-end; padding: 12px; border-block-start: 1px solid var(--line); }
textarea {
  flex: 1; resize: none; min-block-size: 42px; max-block-size: 140px; padding: 9px 12px; field-sizing: content;
  border: 1px solid var(--muted); border-radius: 10px; background: var(--surface); font-size: 16px;
}
form button { background: var(--accent); color: var(--on-accent); padding: 11px; border-radius: 10px; }
[dir=rtl] .flip { transform: scaleX(-1); }
.contact { padding: 0 16px 12px; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 480px) {
  .root:not([data-inline]) .panel { inset: 0; inline-size: 100%; max-inline-size: none; block-size: 100dvh; max-block-size: none; border-radius: 0; border: 0; }
}
@media (prefers-reduced-motion: no-preference) { .launcher { transition: transform .15s; } .launcher:hover { transform: translateY(-2px); } }
@media (forced-colors: active) { .launcher, form button { border: 1px solid; } }
`;

let sheet: CSSStyleSheet | undefined;

/** @param root in which the widget is */
export function addStyles(root: ShadowRoot): void {
  sheet ??= new CSSStyleSheet();
  if (sheet.cssRules.length === 0) sheet.replaceSync(CSS);
  root.adoptedStyleSheets = [sheet];
}
