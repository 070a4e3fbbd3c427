import type { Locator } from './block.js';
import { type Content, writeBlock } from './block-fragments.js';
import { toReadable } from './readable.js';
import { isSamePlace, type Section } from './sections.js';
import { countWords } from './word-count.js';

/** Blocks that may share passages. */
export interface Group {
  readonly heading: string | null;
  readonly blocks: readonly GroupedBlock[];
}

interface GroupedBlock {
  /** The heading of the section that begins with this block, if the group has several sections. */
  readonly lead: string | null;
  readonly block: Content;
}

const HEADING_SEPARATOR = ' › ';
const SIBLING_SEPARATOR = ' / ';
/** Each passage is stored with its headings, so these must be much shorter than a passage. */
const MAX_HEADING = 200;
const MAX_HEADING_PATH = 500;

interface Measured {
  readonly section: Section;
  readonly size: number;
  readonly place: Locator | null;
}

/**
 * Joins neighbouring sections under the same parent while they fit into one passage: each then
 * keeps its heading above it. Sections of the outermost level stay alone.
 */
export function* joinSections(sections: Iterable<Section>, chunkSize: number): Generator<Group> {
  let siblings: Measured[] = [];
  let size = 0;
  for (const section of sections) {
    const next = measure(section, chunkSize);
    if (size + next.size > chunkSize || !siblings.every((one) => areSiblings(one, next))) {
      if (siblings.length > 0) yield toGroup(siblings);
      siblings = [];
      size = 0;
    }
    siblings.push(next);
    size += next.size;
  }
  if (siblings.length > 0) yield toGroup(siblings);
}

/** The size is infinite for a section that is larger than a passage or on several pages, so it is not joined. */
function measure(section: Section, chunkSize: number): Measured {
  const place = section.blocks[0]?.locator ?? null;
  let size = countWords(section.path.at(-1) ?? '');
  for (const block of section.blocks) {
    if (!isSamePlace(place, block.locator ?? null)) return { section, size: Infinity, place };
    const written = writeBlock(block, null, chunkSize);
    if (written && !written.fits(chunkSize - size)) return { section, size: Infinity, place };
    size += written?.size() ?? 0;
  }
  return { section, size, place };
}

function areSiblings(one: Measured, other: Measured): boolean {
  const parent = one.section.path.slice(0, -1);
  const otherPath = other.section.path;
  return (
    parent.length > 0 &&
    otherPath.length === parent.length + 1 &&
    parent.every((heading, index) => heading === otherPath[index]) &&
    isSamePlace(one.place, other.place)
  );
}

function toGroup(siblings: readonly Measured[]): Group {
  const [first] = siblings;
  const path = first?.section.path ?? [];
  if (siblings.length === 1) {
    const blocks = first?.section.blocks.map((block) => ({ lead: null, block })) ?? [];
    return { heading: joinHeadings(path), blocks };
  }
  const names = siblings.map(({ section }) => section.path.at(-1) ?? '');
  return {
    heading: joinHeadings([...path.slice(0, -1), names.join(SIBLING_SEPARATOR)]),
    blocks: siblings.flatMap(({ section }) =>
      section.blocks.map((block, index) => ({
        lead: index === 0 ? (section.path.at(-1) ?? null) : null,
        block,
      })),
    ),
  };
}

function joinHeadings(headings: readonly string[]): string | null {
  if (headings.length === 0) return null;
  const path = headings.map((heading) => heading.slice(0, MAX_HEADING)).join(HEADING_SEPARATOR);
  return toReadable(path.slice(0, MAX_HEADING_PATH));
}
