export type FilterValue = string | number | boolean;

/** A condition on one key of a document's metadata. */
export type Comparison =
  | { readonly type: 'eq' | 'ne'; readonly key: string; readonly value: FilterValue }
  | {
      readonly type: 'gt' | 'gte' | 'lt' | 'lte';
      readonly key: string;
      readonly value: string | number;
    }
  | { readonly type: 'in' | 'nin'; readonly key: string; readonly value: readonly FilterValue[] };

/**
 * Which documents a question is about, by their metadata. A list matches what one of its entries
 * matches; values of different types are neither equal nor in any order; `ne` and `nin` are the
 * opposites of `eq` and `in`, so that a key that is missing matches them and nothing else. Texts are
 * in the order of their code points.
 */
export type Filter =
  Comparison | { readonly type: 'and' | 'or'; readonly filters: readonly Filter[] };
