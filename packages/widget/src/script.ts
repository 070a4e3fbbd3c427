import { addLatchkeyChat, defineLatchkeyChat } from './index.js';

// What `widget.js` does: its own script tag says which site it is for.
const script = document.currentScript as HTMLScriptElement | null;
const { site, contact } = script?.dataset ?? {};
defineLatchkeyChat();
if (script && site !== undefined) {
  const service = new URL('.', script.src).href;
  const add = () => addLatchkeyChat(site, service, { contact: contact !== undefined });
  // In the head of a page there is no body yet.
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', add, { once: true });
  else add();
}
