import { posix } from 'node:path';

/** Where a page of the repository stands in the site, without its extension. */
export const placeOf = (source) =>
  source
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replace(/README$/, 'index');

/** A place as every server names it, also one that knows files only. */
export const addressOf = (place) =>
  /(^|\/)index$/.test(place) ? place.slice(0, -5) : `${place}.html`;

/** What leads from one place to another. */
export const between = (from, to) => addressOf(posix.relative(posix.dirname(from), to)) || './';
