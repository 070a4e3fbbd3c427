import { LatchkeyChat } from './chat-element.js';

export { LatchkeyChat };
export type { SiteView } from './site.js';

const NAME = 'latchkey-chat';

/** Defines the element `<latchkey-chat>`, once. */
export function defineLatchkeyChat(): void {
  if (!customElements.get(NAME)) customElements.define(NAME, LatchkeyChat);
}

/**
 * Adds the chat of a site to the page, once.
 *
 * @param service the address of the service
 */
export function addLatchkeyChat(site: string, service: string): HTMLElement {
  defineLatchkeyChat();
  const existing = document.querySelector<HTMLElement>(`${NAME}[site="${CSS.escape(site)}"]`);
  if (existing) return existing;
  const chat = document.createElement(NAME);
  chat.setAttribute('site', site);
  chat.setAttribute('service', service);
  document.body.append(chat);
  return chat;
}
