/** Slack’s escapes, in its messages and in ours. */
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
const MARKUP = /<([^<>|]*)(?:\|([^<>]*))?>/g;

/** Escapes a text, so that nothing in it mentions anybody or becomes a link. */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A message as its author sees it, without mentions of the bot, and in characters that databases store. */
export function readSlackText(text: string, botUserId: string | null): string {
  return text
    .replace(MARKUP, (_, target: string, label: string | undefined) => {
      if (botUserId !== null && target === `@${botUserId}`) return '';
      const named = label ?? target.replace(/^mailto:/, '');
      const sign = /^[@#!]/.exec(target)?.[0];
      if (sign === undefined) return named;
      return `${sign === '#' ? '#' : '@'}${named.replace(/^[@#!]+/, '')}`;
    })
    .replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity)
    .toWellFormed()
    .replaceAll('\0', '\uFFFD')
    .trim();
}
