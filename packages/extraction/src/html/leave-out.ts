import type { Element } from './parse-html.js';

/** Elements that hold no text of the page. */
const NOT_TEXT = new Set([
  'annotation',
  'annotation-xml',
  'applet',
  'area',
  'audio',
  'base',
  'button',
  'canvas',
  'datalist',
  'del',
  'dialog',
  'embed',
  'frame',
  'frameset',
  'head',
  'iframe',
  'img',
  'input',
  'link',
  'map',
  'meta',
  'nav',
  'noframes',
  'noscript',
  'object',
  'option',
  'picture',
  'progress',
  'rp',
  'rt',
  'script',
  'select',
  'source',
  'style',
  'svg',
  'template',
  'textarea',
  'title',
  'track',
  'video',
]);
const NOT_TEXT_ROLES = new Set([
  'alert',
  'alertdialog',
  'banner',
  'button',
  'contentinfo',
  'dialog',
  'menu',
  'menubar',
  'navigation',
  'search',
  'toolbar',
  'tooltip',
]);
const HIDDEN = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Class names and ids that sites commonly give to content beside the main text. */
const ASIDE_NAME =
  /(?:^|[\s_-])(?:breadcrumbs?|cookie|newsletter|pagination|pager|share|sharing|skip-link|social|sr-only|visually-hidden|screen-reader-text|headerlink|linenos|lineno|editsection|noprint)(?:$|[\s_-])/i;
const MAX_NAME = 500;

/** Whether an element is not part of the page's text, such as controls, navigation and hidden text. */
export function isLeftOut({ name, attribs }: Element): boolean {
  if (NOT_TEXT.has(name)) return true;
  const { role, hidden, style } = attribs;
  return (
    hidden !== undefined ||
    attribs['aria-hidden'] === 'true' ||
    (role !== undefined && NOT_TEXT_ROLES.has(role)) ||
    (style !== undefined && HIDDEN.test(style)) ||
    ASIDE_NAME.test(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`.slice(0, MAX_NAME))
  );
}
