import { Injectable } from '@nestjs/common';
import type { SearchResult } from '@latchkey/ranking/search-index';
import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import { type SmallTalk } from '@latchkey/text/small-talk';
import { toCitedDocument } from '../documents/closed-documents.js';
import { DocumentTitles } from '../documents/document-titles.js';
import type { TextByLanguage } from '../platform/http/text.js';
import { FairShareLookup } from '../knowledge-bases/fair-share-lookup.js';
import type { SearchedKnowledgeBase } from './asked-knowledge-bases.js';
import { DEFAULT_REPLIES, type DefaultReplies, ENGLISH } from './default-replies.js';

/** The number of document titles that a greeting names. */
const MAX_TITLES = 5;
const MAX_TITLE_LENGTH = 80;
/** Matches the ending of a file name, which is the title of a document without one. */
const FILE_ENDING =
  /\.(?:md|txt|html?|pdf|docx?|xlsx?|pptx?|csv|epub|eml|msg|od[tsp]|rtf|json|xml|ipynb)$/i;

/** The reply to a message that asks nothing. */
export interface SmallTalkReply {
  readonly text: string;
  /** The documents whose titles it names; see toCitedDocument. */
  readonly documentIds: readonly string[];
}

/** The service's own replies in the language of the question: refusals, and replies to small talk. */
@Injectable()
export class Replies {
  constructor(
    private readonly documents: DocumentTitles,
    private readonly fairShares: FairShareLookup,
  ) {}

  /**
   * The refusal in the language of the question, or of the best passage if the question does not reveal its
   * language.
   */
  refusal(own: TextByLanguage | null, question: string, found: SearchResult): string {
    const language = detectQuestionLanguage(question) ?? found.passages[0]?.language ?? undefined;
    return ownText(own, language) ?? defaultsIn(language).refusal;
  }

  /**
   * @param before the previous question, whose language is used if the message has none ("ok")
   * @param kbId the knowledge base of the conversation, whose name is mentioned
   * @param about the knowledge base whose documents are mentioned
   */
  async smallTalk(
    own: TextByLanguage | null,
    { kind, language: known }: SmallTalk,
    before: string | undefined,
    kbId: string,
    about: SearchedKnowledgeBase,
  ): Promise<SmallTalkReply> {
    const language = known ?? (before === undefined ? undefined : detectQuestionLanguage(before));
    const text = ownText(own, language);
    if (text !== undefined) return { text, documentIds: [] };
    const defaults = defaultsIn(language);
    if (kind === 'thanks' || kind === 'farewell') return { text: defaults[kind], documentIds: [] };
    const [name, titles] = await Promise.all([
      this.fairShares.findKnowledgeBaseName(kbId),
      this.documents.findTitles(about.kbId, about.scope, MAX_TITLES),
    ]);
    const short = titles.map(({ title }) =>
      title.replace(FILE_ENDING, '').slice(0, MAX_TITLE_LENGTH).toWellFormed(),
    );
    const parts = [
      defaults.greeting.replace('{name}', () => name),
      ...(short.length > 0 ? [defaults.topics.replace('{titles}', () => short.join(' · '))] : []),
    ];
    const documentIds = titles.map(({ documentId }) =>
      toCitedDocument({ kb_id: about.kbId, document_id: documentId }, kbId),
    );
    return { text: parts.join(' '), documentIds };
  }
}

/** The refusal in the language of a text, to replace a hidden answer. */
export function refusalText(own: TextByLanguage | null, text: string): string {
  const language = detectQuestionLanguage(text);
  return ownText(own, language) ?? defaultsIn(language).refusal;
}

const defaultsIn = (language: string | undefined): DefaultReplies =>
  DEFAULT_REPLIES.get(language?.split('-')[0] ?? '') ?? ENGLISH;

/**
 * Chooses the text in the language of the question. If the question does not reveal its language, it is the
 * English text, or else the first.
 */
function ownText(own: TextByLanguage | null, language: string | undefined): string | undefined {
  if (own === null || typeof own === 'string') return own ?? undefined;
  const texts = new Map(Object.entries(own));
  return language === undefined
    ? (texts.get('en') ?? [...texts.values()][0])
    : (texts.get(language) ?? texts.get(language.split('-')[0] ?? ''));
}
