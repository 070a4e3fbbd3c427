import { detectQuestionLanguage } from '@latchkey/text/language/question-language';
import type { ChatAnswerDto } from '../../chat/answer.dto.js';
import type { SourceDto } from '../../chat/conversations/source.dto.js';
import type { ChannelReply, ReplySource } from './channel-port.js';
import { findWords } from './channel-words.js';

/** What an answer says in a chat service: its text, and where it says it from. */
export function toReply(answer: ChatAnswerDto, question: string): ChannelReply {
  const { page } = findWords(detectQuestionLanguage(question));
  const { sources, related = [], model, kind } = answer;
  const cited = sources.filter((source) => source.cited !== false);
  return {
    text: answer.answer,
    // What is quoted from a document is no Markdown, even if it looks like it.
    isMarkdown: model !== 'extractive' && kind === undefined,
    sources: [
      ...cited.map((source) => toReplySource(source, source.index, page)),
      ...related.map((source) => toReplySource(source, null, page)),
    ],
  };
}

function toReplySource(source: SourceDto, index: number | null, page: string): ReplySource {
  const { document_title: title, source_url: url, heading } = source;
  const number = source.page ?? source.locator?.slide;
  const places = [heading, number === undefined ? null : page.replace('{}', String(number))];
  return { index, title, url, place: places.filter((place) => place !== null).join(' · ') || null };
}
