import {
  type IndexStatistics,
  type LanguageRow,
  toStatistics,
  type Visibility,
} from '@latchkey/ranking/index-reader';
import { NumberValues } from '@latchkey/ranking/number-values';
import type { RemovedPassage } from './index-writer.js';

export interface RuledPassageRow {
  readonly number: number;
  readonly tokens: number;
  /** Empty if unknown. */
  readonly language: string;
  /** Null for a document without a rule. */
  readonly setId: string | null;
  /** Whether it belongs to content no longer shown, or does not match the filter. */
  readonly isClosed: boolean | 0 | 1;
}

/** The approximate size of a set with its counts. */
const GROUP_BYTES = 400;

interface Group {
  readonly setId: string | null;
  /** The number of the group, from 1. */
  readonly number: number;
  /** Counts by language. */
  readonly sizes: Map<string, LanguageRow>;
}

/** The indexed passages, each with the access set of its document. */
export class RuledPassages {
  private readonly groupNumbers = new NumberValues();
  private readonly groups = new Map<string | null, Group>();
  private readonly byNumber: (Group | undefined)[] = [undefined];
  /** Numbers of groups that became empty, for reuse. */
  private readonly unused: number[] = [];
  private removals = 0;

  get bytes(): number {
    return this.groupNumbers.bytes + GROUP_BYTES * this.groups.size;
  }

  /** Adds passages. Existing ones get the set of the row; closed ones are removed. */
  add(rows: readonly RuledPassageRow[]): void {
    for (const { number, language, tokens, setId, isClosed } of rows) {
      const before = this.byNumber[this.groupNumbers.get(number)];
      // A search that began before does not know the group.
      if (before && before.setId !== setId) this.noteRemoval();
      this.forget([number, language, tokens]);
      if (isClosed) continue;
      const group = this.getGroup(setId);
      this.groupNumbers.set(number, group.number);
      count(group, language, 1, tokens);
    }
  }

  /** Removes passages; ignores missing ones. */
  remove(passages: readonly RemovedPassage[]): void {
    if (passages.length > 0) this.noteRemoval();
    for (const passage of passages) this.forget(passage);
  }

  noteRemoval(): void {
    this.removals++;
  }

  private forget([number, language, tokens]: RemovedPassage): void {
    const group = this.byNumber[this.groupNumbers.get(number)];
    if (!group) return;
    this.groupNumbers.set(number, 0);
    count(group, language, -1, -tokens);
    if (group.sizes.size > 0) return;
    this.groups.delete(group.setId);
    this.byNumber[group.number] = undefined;
    this.unused.push(group.number);
  }

  /** Returns a function that says whether passages have been removed since. */
  watchRemovals(): () => boolean {
    const { removals } = this;
    return () => this.removals !== removals;
  }

  /** @param setIds the sets that the reader may read; null stands for no rule */
  selectReadable(setIds: Iterable<string | null>): Visibility {
    const readable: (Group | undefined)[] = Array.from({ length: this.byNumber.length });
    const sizes: LanguageRow[] = [];
    for (const id of new Set(setIds)) {
      const found = this.groups.get(id);
      if (!found) continue;
      readable[found.number] = found;
      sizes.push(...found.sizes.values());
    }
    const statistics = sumStatistics(sizes);
    const { groupNumbers, byNumber } = this;
    // During a search, another one may reassign the number to another set.
    const isReadable = (group: number) =>
      readable[group] !== undefined && readable[group] === byNumber[group];
    const numbers = {
      has: (number: number) => isReadable(groupNumbers.get(number)),
      size: statistics.passages,
      *[Symbol.iterator]() {
        for (const [number, group] of groupNumbers.entries()) if (isReadable(group)) yield number;
      },
    };
    return { numbers, statistics };
  }

  private getGroup(setId: string | null): Group {
    const known = this.groups.get(setId);
    if (known) return known;
    const number = this.unused.pop() ?? this.byNumber.length;
    const made = { setId, number, sizes: new Map<string, LanguageRow>() };
    this.groups.set(setId, made);
    this.byNumber[number] = made;
    return made;
  }
}

function count({ sizes }: Group, language: string, passages: number, tokens: number): void {
  const before = sizes.get(language) ?? { passages: 0, tokens: 0 };
  const size = { passages: before.passages + passages, tokens: before.tokens + tokens };
  if (size.passages > 0) sizes.set(language, { language, ...size });
  else sizes.delete(language);
}

const sumStatistics = (rows: readonly LanguageRow[]): IndexStatistics =>
  toStatistics(
    [...Map.groupBy(rows, ({ language }) => language)].map(([language, sizes]) => ({
      language,
      passages: sizes.reduce((sum, { passages }) => sum + passages, 0),
      tokens: sizes.reduce((sum, { tokens }) => sum + tokens, 0),
    })),
  );
