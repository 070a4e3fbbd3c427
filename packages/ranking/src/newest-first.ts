import { findRelativeYear, findYears } from '@latchkey/text/years';
import { Edition, intersects } from './editions.js';
import type { FoundPassage } from './search-index.js';

/**
 * The years for which a question asks; "last year" is one, too.
 *
 * @param asked what it asks, if it also has a story or earlier questions
 */
export const findAskedYears = (
  {
    question,
    asked = question,
  }: { readonly question: string; readonly asked?: string | undefined },
  now = new Date(),
): ReadonlySet<number> => {
  const years = findYearsIn(asked, now);
  return years.size > 0 || asked === question ? years : findYearsIn(question, now);
};

function findYearsIn(question: string, now: Date): ReadonlySet<number> {
  const years = findYears(question);
  const relative = years.size === 0 ? findRelativeYear(question, now) : undefined;
  return relative === undefined ? years : new Set([relative]);
}

/**
 * Puts passages that say the same of different years into the places of each other: those of a year that is asked
 * for first, and then the newest. A passage that moves gets the score of its new place.
 *
 * @param passages best first
 */
export function putNewestFirst(
  passages: readonly FoundPassage[],
  years: ReadonlySet<number>,
): FoundPassage[] {
  const named = passages
    .map((passage, place) => ({ passage, place, edition: toEdition(passage) }))
    .filter(({ edition }) => edition.years.size > 0);
  const groups: (typeof named)[] = [];
  for (const one of named) {
    const group = groups.find((some) => some.some(({ edition }) => edition.isAlike(one.edition)));
    if (group) group.push(one);
    else groups.push([one]);
  }
  const moved = [...passages];
  for (const group of groups.filter(({ length }) => length > 1)) {
    const isAsked = ({ edition }: (typeof group)[number]) =>
      Number(intersects(edition.years, years));
    const sorted = group.toSorted(
      (one, other) => isAsked(other) - isAsked(one) || other.edition.compare(one.edition),
    );
    for (const [
      index,
      {
        place,
        passage: { score },
      },
    ] of group.entries()) {
      const { passage } = sorted[index] ?? {};
      if (passage) moved[place] = { ...passage, score };
    }
  }
  return moved;
}

export const toEdition = ({
  documentTitle,
  heading,
  text,
  date,
}: Pick<FoundPassage, 'documentTitle' | 'heading' | 'text' | 'date'>): Edition =>
  new Edition({
    title: documentTitle,
    heading,
    text,
    givenDate: date?.from === 'given' ? date.value : undefined,
  });
