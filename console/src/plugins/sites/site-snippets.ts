/** A way to put a site on a page, and what to know about it. */
export interface SiteSnippet {
  readonly name: string;
  readonly text: string;
  readonly about: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
};
const escapeHtml = (text: string) => text.replace(/[&<"]/g, (sign) => ENTITIES[sign] ?? sign);

/** @param url the address of the service, without a slash at its end */
export const siteSnippets = (
  url: string,
  { id, name }: { id: string; name: string },
): readonly SiteSnippet[] => [
  {
    name: 'Script',
    text: `<script src="${url}/widget.js" data-site="${id}" async></script>`,
    about:
      'Put it on every page that should have the chat. A link to #ask=Your+question opens the chat with that question.',
  },
  {
    name: 'Element',
    text: `<script src="${url}/widget.js" async></script>\n<latchkey-chat site="${id}" service="${url}" inline></latchkey-chat>`,
    about:
      'The chat as a part of the page, 600 pixels high unless the page sets --latchkey-height. Without “inline” it is a button in the corner.',
  },
  {
    name: 'Frame',
    text: `<iframe src="${url}/s/${id}" title="${escapeHtml(name)}" width="400" height="600"></iframe>`,
    about:
      'For pages that allow no scripts of others. Only pages of the origins above may frame it.',
  },
  {
    name: 'Link',
    text: `${url}/s/${id}`,
    about: 'A page with nothing but the chat, to share with anyone.',
  },
  {
    name: 'Security policy',
    text: `script-src ${url}/widget.js; connect-src ${url}; frame-src ${url}`,
    about:
      'If your pages have a Content-Security-Policy, add these sources to it. The script and the element need the first two, or a nonce in place of the first; the frame needs the third alone.',
  },
];
