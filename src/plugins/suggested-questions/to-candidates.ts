import { askAbout } from './ask-about.js';
import { askWhatIs } from './ask-what-is.js';
import { findOwnQuestions } from './own-questions.js';

/** A question that a document may answer. */
export interface Candidate {
  readonly question: string;
  readonly documentId: string;
  readonly documentTitle: string;
}

interface Passage {
  /** The path of headings above it. */
  readonly heading: string | null;
  readonly text: string;
}

interface Asked {
  readonly id: string;
  readonly title: string;
  readonly language: string | null;
  readonly passages: readonly Passage[];
}

const SEPARATOR = / › | \/ /;

/**
 * Makes questions from documents: what they ask themselves, then what their headings are about and what they
 * explain. The first ones of all documents come first.
 */
export function toCandidates(documents: readonly Asked[]): Candidate[] {
  const perDocument = documents.map(({ id, title, language, passages }) => {
    const asked = passages.flatMap(({ text }) => findOwnQuestions(text));
    const about = listTopics(passages).flatMap((topic) => askAbout(topic, language) ?? []);
    const explained = passages.flatMap(({ text }) => askWhatIs(text, language));
    return [...new Set([...asked, ...about, ...explained])].map((question) => ({
      ...{ question, documentId: id, documentTitle: title },
    }));
  });
  const longest = Math.max(0, ...perDocument.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) =>
    perDocument.flatMap((candidates) => candidates[place] ?? []),
  ).flat();
}

/** The headings of a document without those of all its passages, which are its title. */
function listTopics(passages: readonly Passage[]): string[] {
  const paths = passages.map(({ heading }) => [...new Set(heading?.split(SEPARATOR) ?? [])]);
  const counts = new Map<string, number>();
  for (const part of paths.flat()) counts.set(part, (counts.get(part) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => passages.length === 1 || count < passages.length)
    .map(([part]) => part);
}
