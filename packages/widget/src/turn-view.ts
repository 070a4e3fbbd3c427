import { webAddress } from './addresses.js';
import type { Locator, Rating, Source, Turn } from './answer.js';
import { renderAnswer } from './answer-view.js';
import { element, iconButton, ICONS, outsideLink } from './dom.js';
import type { Words } from './words.js';

/** A question, and below it its answer as it comes, or why there is none. */
export class TurnView {
  readonly node: HTMLElement;
  private readonly text = element('div', { class: 'answer' });
  private readonly dots = element('p', { class: 'dots' }, ...[1, 2, 3].map(() => element('i')));
  private readonly details = element('details');
  private written = '';

  /** @param number of the turn in the conversation, for its ids */
  constructor(
    question: string,
    private readonly number: number,
    private readonly words: Words,
  ) {
    const mine = element('p', { class: 'mine', dir: 'auto' }, question);
    this.dots.append(element('span', { class: 'unseen' }, words.writing));
    this.node = element('div', { class: 'turn' }, mine, this.dots, this.text);
  }

  /** Adds what has come of the answer. */
  write(part: string): void {
    this.written += part;
    this.dots.remove();
    this.text.replaceChildren(...renderAnswer(this.written, () => undefined));
  }

  /** @param rate what the visitor thinks of the answer */
  finish({ answer, rating }: Turn, rate: (rating: Rating) => Promise<void>): void {
    this.dots.remove();
    const { sources } = answer;
    this.text.replaceChildren(
      ...renderAnswer(answer.answer, (index) => {
        const source = sources.find((one) => one.index === index);
        return source && this.cite(source);
      }),
    );
    if (sources.length > 0) {
      const summary = element('summary', {}, `${this.words.sources} (${sources.length})`);
      const list = element('ol', {}, ...sources.map((source) => this.showSource(source)));
      this.details.append(summary, list);
      this.node.append(this.details);
    }
    this.node.append(this.showRating(rating, rate));
  }

  fail(reason: string): void {
    this.dots.remove();
    this.node.append(element('p', { class: 'note alert', role: 'alert' }, reason));
  }

  private idOf({ index }: Source): string {
    return `source-${this.number}-${index}`;
  }

  private cite(source: Source): HTMLElement {
    const label = `${this.words.sources} ${source.index}: ${source.document_title}`;
    const button = element(
      'button',
      { type: 'button', class: 'cite', title: source.document_title, 'aria-label': label },
      String(source.index),
    );
    button.addEventListener('click', () => {
      this.details.open = true;
      const shown = this.details.querySelector<HTMLElement>(`#${this.idOf(source)}`);
      shown?.focus();
      shown?.scrollIntoView({ block: 'nearest' });
    });
    return button;
  }

  private showSource(source: Source): HTMLElement {
    const { index, document_title: title, heading, snippet, locator } = source;
    const href = webAddress(source.source_url);
    const name = element('bdi', {}, title);
    const place = new Set([heading ?? '', this.describePlace(locator ?? {})]);
    place.delete('');
    return element(
      'li',
      { id: this.idOf(source), tabindex: '-1' },
      element('span', { class: 'number', 'aria-hidden': 'true' }, String(index)),
      element(
        'div',
        {},
        href === undefined ? element('strong', {}, name) : outsideLink(href, name),
        element('p', { class: 'place', dir: 'auto' }, [...place].join(' · ')),
        element('p', { class: 'snippet', dir: 'auto' }, snippet),
      ),
    );
  }

  private describePlace({ page, slide, sheet, row, chapter }: Locator): string {
    const { words } = this;
    const fill = (pattern: string, number: number) => pattern.replace('{}', String(number));
    if (page !== undefined) return fill(words.page, page);
    if (slide !== undefined) return fill(words.slide, slide);
    if (sheet !== undefined) return `${sheet}, ${fill(words.row, row ?? 1)}`;
    return chapter ?? '';
  }

  private showRating(given: Rating | undefined, rate: (rating: Rating) => Promise<void>) {
    const { words } = this;
    const thanks = element('span', { role: 'status' });
    const mark = (rating: Rating | undefined) => {
      for (const [one, button] of buttons) button.ariaPressed = String(one === rating);
    };
    const button = (rating: Rating, name: string) =>
      iconButton(name, ICONS[rating], () => {
        rate(rating).then(
          () => {
            mark(rating);
            thanks.textContent = words.thanks;
          },
          () => (thanks.textContent = words.failed),
        );
      });
    const buttons = [
      ['up', button('up', words.helpful)],
      ['down', button('down', words.notHelpful)],
    ] as const;
    mark(given);
    return element('div', { class: 'rate' }, ...buttons.map(([, one]) => one), thanks);
  }
}
