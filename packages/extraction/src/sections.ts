import type { Block, Heading, Locator } from './block.js';
import type { Content } from './block-fragments.js';
import { toReadable } from './readable.js';

/** Blocks under one path of headings. */
export interface Section {
  /** The headings, from the outermost. */
  readonly path: readonly string[];
  readonly level: number;
  readonly blocks: Content[];
}

/** Cuts the blocks at headings. A heading with nothing under it becomes a paragraph. */
export function* splitSections(blocks: Iterable<Block>): Generator<Section> {
  let open: Heading[] = [];
  let section: Section = { path: [], level: 0, blocks: [] };
  /** The last heading, as long as nothing follows it. */
  let bare: Heading | null = null;
  for (const block of blocks) {
    if (block.kind !== 'heading') {
      bare = null;
      section.blocks.push(block);
      continue;
    }
    const text = toOneLine(block.text);
    if (text === '') continue;
    if (bare && bare.level >= block.level) yield toSection(open, bare);
    if (section.blocks.length > 0) yield section;
    bare = { ...block, text };
    open = [...open.filter(({ level }) => level < block.level), bare];
    section = { path: open.map((heading) => heading.text), level: block.level, blocks: [] };
  }
  if (bare) yield toSection(open, bare);
  if (section.blocks.length > 0) yield section;
}

function toSection(open: readonly Heading[], { text, level, locator }: Heading): Section {
  const path = open.filter((heading) => heading.level < level).map((heading) => heading.text);
  return { path, level, blocks: [{ kind: 'paragraph', text, ...(locator && { locator }) }] };
}

const toOneLine = (text: string) => toReadable(text).replace(/\s+/g, ' ').trim();

/** Whether a passage may contain blocks of both places, that is, of the same page, sheet or other part. */
export function isSamePlace(one: Locator | null, other: Locator | null): boolean {
  if (one === null || other === null) return one === other;
  if ('sheet' in one) return 'sheet' in other && one.sheet === other.sheet;
  if ('page' in one) return 'page' in other && one.page === other.page;
  if ('slide' in one) return 'slide' in other && one.slide === other.slide;
  return 'chapter' in other && one.chapter === other.chapter;
}
