/** A passage that an answer rests on; `[index]` in the answer refers to it. */
export class SourceDto {
  /** From 1. */
  index: number;
  /** @example 'chunk_01kafdp6ygf4rs4s2cr5cvzwkc' */
  chunk_id: string;
  /** @example 'doc_01kafdp6ygf4rs4s2cr5cvzwkc' */
  document_id: string;
  /** @example 'Returns policy' */
  document_title: string;
  /** @example 'policies/returns' */
  external_id: string | null;
  /** @example 'https://shop.example.com/returns' */
  source_url: string | null;
  /** From 1 for paged formats, else null. */
  page: number | null;
  /** @example 'Customers may return any order within 30 days of delivery.' */
  snippet: string;
  /** Higher is better; comparable within one question only. */
  score: number;
}
