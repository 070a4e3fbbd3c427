import { posix } from 'node:path';

/** Where a page of the repository stands in the site, without its extension. */
export const placeOf = (source) =>
  source
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replace(/README$/, 'index');

/** A place as servers name it. */
export const addressOf = (place) => place.replace(/(^|\/)index$/, '$1');

/** What leads from one place to another. */
export const between = (from, to) => addressOf(posix.relative(posix.dirname(from), to)) || './';
