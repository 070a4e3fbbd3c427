import { defineLatchkeyChat } from './index.js';

// The share page of a site: the chat alone, as large as the window.
const script = document.currentScript as HTMLScriptElement;
const { site = '' } = script.dataset;

const sheet = new CSSStyleSheet();
sheet.replaceSync(
  ':root { --latchkey-height: 100dvh; --latchkey-radius: 0 } body { margin: 0; max-inline-size: 760px; margin-inline: auto }',
);
document.adoptedStyleSheets = [sheet];
document.documentElement.lang = navigator.language;

addEventListener('DOMContentLoaded', () => {
  defineLatchkeyChat();
  const chat = document.createElement('latchkey-chat');
  Object.assign(chat, { site, service: new URL('..', script.src).href, inline: true });
  const main = document.createElement('main');
  main.append(chat);
  document.body.append(main);
});
