import { Injectable } from '@nestjs/common';
import { NeighbouringPassages } from '../documents/neighbouring-passages.js';
import { OpenPassages } from '../documents/open-passages.js';
import { isTypeId } from '../platform/http/type-id.js';
import { Problem } from '../platform/problems/problem.js';
import { withoutShared } from './add-neighbours.js';
import type { SearchedKnowledgeBase } from './asked-knowledge-bases.js';
import type { SourceLink } from './with-originals.js';

/** Where a passage is. */
interface Place {
  readonly document_title: string;
  readonly heading: string | null;
  readonly page: number | null;
  readonly source_url: string | null;
  readonly original_url?: string;
}

/** A passage as agents know it, which expect these fields. */
export interface ListedPassage {
  readonly id: string;
  readonly title: string;
  /** Opens the original at its page where readers may, else its source; empty for neither. */
  readonly url: string;
}

/** A passage with the texts before and after it. */
export interface ReadPassage extends ListedPassage {
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export function toListedPassage(id: string, place: Place): ListedPassage {
  const { document_title, heading, page, source_url, original_url } = place;
  const url = original_url ?? source_url ?? '';
  return {
    id,
    title: heading === null ? document_title : `${document_title} › ${heading}`,
    url: original_url !== undefined && page !== null ? `${url}#page=${page}` : url,
  };
}

/** Reads passages that were found before, by their ids. */
@Injectable()
export class PassageReader {
  constructor(
    private readonly passages: OpenPassages,
    private readonly neighbours: NeighbouringPassages,
  ) {}

  /**
   * Finds the knowledge base of a passage, which the credential may not open.
   *
   * @throws Problem `not_found`
   */
  async requireKnowledgeBase(id: string): Promise<string> {
    const kbId = isTypeId('chunk', id) ? await this.passages.findKnowledgeBase(id) : undefined;
    if (kbId === undefined) throw new Problem('not_found');
    return kbId;
  }

  /** @throws Problem `not_found` for a passage that the credential could not find */
  async read(
    { kbId, scope }: SearchedKnowledgeBase,
    id: string,
    linkTo: SourceLink,
  ): Promise<ReadPassage> {
    const passage = await this.passages.findOpen(kbId, scope, id);
    if (!passage) throw new Problem('not_found');
    const { document, heading, page, text } = passage;
    const beside = (await this.neighbours.findNeighbours([id])).get(id);
    const { before, after } = withoutShared(text, beside?.before, beside?.after);
    const { expires_at, ...link } = linkTo(document.id, kbId);
    const place = {
      ...{ document_title: document.title, source_url: document.sourceUrl, heading, page },
      ...link,
    };
    return {
      ...toListedPassage(id, place),
      text: [before, text, after].filter((one) => one !== undefined).join('\n\n'),
      metadata: {
        ...document.metadata,
        ...{ kb_id: kbId, document_id: document.id, page },
        ...(expires_at !== undefined && { url_expires_at: expires_at }),
      },
    };
  }
}
