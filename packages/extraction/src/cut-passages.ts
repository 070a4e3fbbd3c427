import type { Block, Locator } from './block.js';
import { type Fragment, type Content, writeBlock, type BlockText } from './block-fragments.js';
import type { PassageLimits, ExtractedPassage } from './extract.js';
import { joinSections } from './join-sections.js';
import type { PassageTable } from './extracted.js';
import { PassageRows } from './passage-table.js';
import { isSamePlace, splitSections } from './sections.js';
import { countWords } from './word-count.js';

/**
 * If a block does not fit and the passage is less full than this, the passage gets the beginning of
 * the block.
 */
const MIN_FILL = 1 / 3;

/** Makes passages of blocks, in one pass. Sizes are in words. */
export function* cutPassages(
  blocks: Iterable<Block>,
  limits: PassageLimits,
): Generator<ExtractedPassage> {
  for (const group of joinSections(splitSections(blocks), limits.chunkSize)) {
    const packer = new Packer(limits);
    let before: Content | null = null;
    for (const { lead, block } of group.blocks) {
      const written = writeBlock(block, before, limits.chunkSize);
      before = block;
      if (!written) continue;
      for (const passage of packer.add(lead, written)) yield toPassage(passage, group.heading);
    }
    for (const passage of packer.end()) yield toPassage(passage, group.heading);
  }
}

interface PackedPassage {
  readonly text: string;
  readonly locator: Locator | null;
  readonly cells: PassageTable | null;
}

const toPassage = (
  { text, locator, cells }: PackedPassage,
  heading: string | null,
): ExtractedPassage => ({
  text,
  heading,
  page: locator && 'page' in locator ? locator.page : null,
  locator,
  cells,
});

/** Packs blocks into passages: whole where they fit, or else fragment by fragment. */
class Packer {
  private text = '';
  private size = 0;
  /**
   * The place of the first text that is not repeated from the previous passage; undefined if there
   * is none yet.
   */
  private locator: Locator | null | undefined;
  /** The fragments of the last block in the passage. */
  private lastFragments: () => Iterable<Fragment> = () => [];
  private rows = new PassageRows();

  constructor(private readonly limits: PassageLimits) {}

  /** @returns the passages that are full */
  *add(lead: string | null, block: BlockText): Generator<PackedPassage> {
    const { chunkSize } = this.limits;
    const leadSize = lead === null ? 0 : countWords(lead);
    if (this.locator !== undefined) {
      if (!isSamePlace(this.locator, block.locator)) yield* this.end();
      else if (
        this.rows.isOther(block.table) ||
        (!block.fits(chunkSize - this.size - leadSize) &&
          block.fits(chunkSize - leadSize) &&
          this.size >= chunkSize * MIN_FILL)
      ) {
        yield* this.close();
      }
    }
    if (block.fits(chunkSize - this.size - leadSize) && block.text !== null) {
      this.append(lead, block.separator);
      this.append(block.text, block.separator);
      this.size += leadSize + block.size();
      this.locator ??= block.locator;
      this.lastFragments = block.fragments;
    } else yield* this.addFragments(lead, block);
  }

  /** @returns the last passage, unless it only repeats; nothing of it is repeated */
  *end(): Generator<PackedPassage> {
    yield* this.close();
    this.reset();
  }

  private *addFragments(lead: string | null, block: BlockText): Generator<PackedPassage> {
    let added: Fragment[] = [];
    this.append(lead, block.separator);
    let isFirst = true;
    let hasHeader = false;
    for (const fragment of block.fragments()) {
      const header = fragment.header ?? block.header;
      const headerSize = hasHeader ? 0 : (header?.size ?? 0);
      if (this.size + headerSize + fragment.size > this.limits.chunkSize) {
        yield* this.close();
        hasHeader = false;
        const needed = (header?.size ?? 0) + fragment.size;
        // The repeated text leaves no room.
        if (this.size + needed > this.limits.chunkSize) this.reset();
        added = [];
      }
      const separator = isFirst ? block.separator : fragment.isRest ? '' : block.fragmentSeparator;
      if (!hasHeader && header) {
        this.append(header.text, separator);
        this.append(fragment.text, '\n');
        this.size += header.size;
        if (header.part) this.rows.add(header.part);
      } else
        this.append(
          fragment.isRest && this.text === '' ? fragment.text.trimStart() : fragment.text,
          separator,
        );
      hasHeader = true;
      this.size += fragment.size;
      if (fragment.part) this.rows.add(fragment.part);
      if (this.locator === undefined) this.locator = fragment.locator;
      isFirst = false;
      added.push(fragment);
      const fragments = added;
      this.lastFragments = () => fragments;
    }
  }

  private append(text: string | null, separator: string): void {
    if (text !== null) this.text += this.text === '' ? text : separator + text;
  }

  /** Emits the passage; the next one begins with the text that it repeats. */
  private *close(): Generator<PackedPassage> {
    if (this.locator === undefined) return;
    const text = this.text.replace(/^\n+/, '').trimEnd();
    if (text !== '') yield { text, locator: this.locator, cells: this.rows.toTable() };
    const repeated = this.takeRepeated();
    this.reset();
    this.text = repeated.map((fragment) => fragment.text).join('');
    this.size = repeated.reduce((sum, { size }) => sum + size, 0);
  }

  private reset(): void {
    this.text = '';
    this.size = 0;
    this.locator = undefined;
    this.lastFragments = () => [];
    this.rows = new PassageRows();
  }

  /** The last whole sentences that are no more than `chunkOverlap`. */
  private takeRepeated(): Fragment[] {
    const repeated: Fragment[] = [];
    let size = 0;
    for (const fragment of [...this.lastFragments()].reverse()) {
      size += fragment.size;
      if (!fragment.repeatable || size > this.limits.chunkOverlap) break;
      repeated.unshift(fragment);
    }
    return repeated;
  }
}
