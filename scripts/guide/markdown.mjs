/** The id of a heading, as GitHub makes it; `seen` counts those of a page. */
export function slugOf(heading, seen) {
  const slug = heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
  const count = seen.get(slug) ?? 0;
  seen.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/** The links of a Markdown text, as text and target. */
export const linksOf = (markdown) =>
  Array.from(markdown.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g), ([, text, target]) => [text, target]);

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** What a piece of HTML says. */
export const textOf = (html) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot);/g, (_, name) => ENTITIES[name])
    .replace(/\s+/g, ' ')
    .trim();
