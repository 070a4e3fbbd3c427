import { defineLatchkeyChat } from './index.js';

// The share page of a site: the chat alone, as large as the window.
const script = document.currentScript as HTMLScriptElement;
const { site = '' } = script.dataset;
const service = new URL('..', script.src).href;

const sheet = new CSSStyleSheet();
sheet.replaceSync('html, body { block-size: 100%; margin: 0 } body { display: grid }');
document.adoptedStyleSheets = [sheet];
document.documentElement.lang = navigator.language;

addEventListener('DOMContentLoaded', () => {
  defineLatchkeyChat();
  const chat = document.createElement('latchkey-chat');
  chat.setAttribute('site', site);
  chat.setAttribute('service', service);
  chat.setAttribute('inline', '');
  document.body.append(chat);
});
