import {
  type IndexStatistics,
  type LanguageRow,
  toStatistics,
  type Visibility,
} from '@latchkey/ranking/index-reader';
import { NumberGroups } from '@latchkey/ranking/number-groups';

export interface RuledPassageRow {
  readonly number: number;
  /** Null for one that the index does not have yet. */
  readonly tokens: number | null;
  readonly language: string;
  /** Null for a document without a rule. */
  readonly setId: string | null;
}

type Sizes = Map<string, { language: string; passages: number; tokens: number }>;

/** The passages of a knowledge base, each with the set of rules of its document. */
export class RuledPassages {
  /** Passages from this number on are to be read further. */
  next = 0;
  private readonly numbers = new NumberGroups();
  private readonly counted = new NumberGroups();
  private readonly groups = new Map<string | null, { group: number; sizes: Sizes }>();
  private passages = 0;
  private tokens = 0;

  /** @returns the number of the first one that the index does not have yet; undefined for none */
  add(rows: readonly RuledPassageRow[]): number | undefined {
    let firstMissing: number | undefined;
    for (const { number, tokens, language, setId } of rows) {
      const { group, sizes } = this.groupOf(setId);
      this.numbers.set(number, group);
      if (tokens === null) firstMissing ??= number;
      if (tokens === null || this.counted.get(number) >= 0) continue;
      this.counted.set(number, 0);
      const size = sizes.get(language) ?? { language, passages: 0, tokens: 0 };
      sizes.set(language, size);
      size.passages++;
      size.tokens += tokens;
      this.passages++;
      this.tokens += tokens;
    }
    return firstMissing;
  }

  /** Whether as much is counted as the index has; not so after passages were removed. */
  isComplete({ passages, tokens }: IndexStatistics): boolean {
    return this.passages === passages && this.tokens === tokens;
  }

  /** @param setIds the sets that let somebody read; null stands for no rule */
  of(setIds: Iterable<string | null>): Visibility {
    const isReadable = new Uint8Array(this.groups.size + 1);
    const sizes: LanguageRow[] = [];
    for (const id of new Set(setIds)) {
      const found = this.groups.get(id);
      if (!found) continue;
      isReadable[found.group + 1] = 1;
      sizes.push(...found.sizes.values());
    }
    const statistics = toStatistics(byLanguage(sizes));
    const has = (number: number) => isReadable[this.numbers.get(number) + 1] === 1;
    return { numbers: { has, size: statistics.passages }, statistics };
  }

  private groupOf(setId: string | null): { group: number; sizes: Sizes } {
    const known = this.groups.get(setId);
    if (known) return known;
    const made = { group: this.groups.size, sizes: new Map() };
    this.groups.set(setId, made);
    return made;
  }
}

function byLanguage(rows: readonly LanguageRow[]): LanguageRow[] {
  return [...Map.groupBy(rows, ({ language }) => language)].map(([language, sizes]) => ({
    language,
    passages: sizes.reduce((sum, { passages }) => sum + passages, 0),
    tokens: sizes.reduce((sum, { tokens }) => sum + tokens, 0),
  }));
}
