import { LatchkeyChat } from './chat-element.js';

export { LatchkeyChat };

/** What the events of the element have as their `detail`. */
export interface LatchkeyAnswer {
  readonly question: string;
  readonly answered: boolean;
  readonly conversation_id: string;
  readonly message_id: string;
}

export interface LatchkeyContact {
  readonly conversation_id: string | null;
}

declare global {
  interface HTMLElementTagNameMap {
    'latchkey-chat': LatchkeyChat;
  }
  interface HTMLElementEventMap {
    'latchkey-answer': CustomEvent<LatchkeyAnswer>;
    'latchkey-contact': CustomEvent<LatchkeyContact>;
  }
  // Events bubble.
  interface DocumentEventMap {
    'latchkey-answer': CustomEvent<LatchkeyAnswer>;
    'latchkey-contact': CustomEvent<LatchkeyContact>;
  }
}

const NAME = 'latchkey-chat';

/** Defines the element `<latchkey-chat>`, once; on servers, which have no elements, it does nothing. */
export function defineLatchkeyChat(): void {
  if (typeof customElements === 'undefined') return;
  if (!customElements.get(NAME)) customElements.define(NAME, LatchkeyChat);
}

/**
 * Adds the chat of a site to the page, once. It needs a page, so servers must not call it.
 *
 * @param service the address of the service
 * @param options `contact`: the page takes the event `latchkey-contact`
 */
export function addLatchkeyChat(
  site: string,
  service: string,
  { contact = false }: { readonly contact?: boolean } = {},
): LatchkeyChat {
  defineLatchkeyChat();
  const existing = [...document.querySelectorAll(NAME)].find((one) => one.site === site);
  if (existing) return existing;
  const chat = document.createElement(NAME);
  Object.assign(chat, { site, service, contact });
  // Beside the body it stays where an application replaces the body, and where the body is transformed.
  document.documentElement.append(chat);
  return chat;
}
