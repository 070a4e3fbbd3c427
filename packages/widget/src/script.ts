import { addLatchkeyChat } from './index.js';

// What `widget.js` does: its own script tag says which site it is for.
const script = document.currentScript as HTMLScriptElement | null;
const site = script?.dataset['site'];
if (script && site !== undefined) {
  const service = new URL('.', script.src).href;
  const add = () => addLatchkeyChat(site, service);
  if (document.body) add();
  else addEventListener('DOMContentLoaded', add, { once: true });
}
