import { renderAnswer } from './answer-view.js';
import { element, icon, webAddress } from './dom.js';
import { type Answer, type Failure, Site, SiteError, type SiteView, type Source } from './site.js';
import { addStyles } from './styles.js';
import { directionOf, type Words, wordsOf } from './words.js';

const ICONS = {
  chat: 'M21 12a8 8 0 0 1-8 8H4l2-3a8 8 0 1 1 15-5Z',
  close: 'M6 6l12 12M18 6L6 18',
  send: 'M4 12h15M13 6l6 6-6 6',
  up: 'M7 11v9H4v-9zM7 11l4-8a2 2 0 0 1 2 2v4h6l-1.5 9a2 2 0 0 1-2 2H7',
  down: 'M7 13V4H4v9zM7 13l4 8a2 2 0 0 0 2-2v-4h6l-1.5-9a2 2 0 0 0-2-2H7',
};
const MAX_QUESTION = 4000;
/** The part of the address after which a page opens at a question. */
const LINK = '#ask=';

/**
 * `<latchkey-chat site="site_…" service="https://…">`: a button and the chat that it opens; with `inline` the chat alone,
 * in the page.
 */
export class LatchkeyChat extends HTMLElement {
  private readonly root = this.attachShadow({ mode: 'open' });
  private frame = element('div', { class: 'root' });
  private words: Words = wordsOf('en');
  private site: Site | undefined;
  private view: SiteView | undefined;
  private isBusy = false;
  private answers = 0;
  private readonly onHash = () => {
    this.askByLink();
  };
  private readonly log = element('div', { class: 'log', role: 'log', tabindex: '0' });
  private readonly field = element('textarea', { rows: '1', maxlength: String(MAX_QUESTION) });
  private readonly send = element('button', { type: 'submit' });
  private readonly launcher = element('button', { type: 'button', class: 'launcher' });
  private readonly panel = element('section', { class: 'panel', hidden: '' });

  connectedCallback(): void {
    const [site, service] = [this.getAttribute('site'), this.getAttribute('service')];
    if (this.site || site === null || service === null) return;
    this.site = new Site(service, site);
    addStyles(this.root);
    void this.build(this.site);
  }

  disconnectedCallback(): void {
    removeEventListener('hashchange', this.onHash);
  }

  open(): void {
    this.panel.hidden = false;
    this.launcher.hidden = true;
    this.field.focus();
  }

  close(): void {
    if (this.isInline) return;
    this.panel.hidden = true;
    this.launcher.hidden = false;
    this.launcher.focus();
  }

  /** Opens the chat and asks a question. */
  async ask(question: string): Promise<void> {
    const message = question.trim().slice(0, MAX_QUESTION);
    if (!this.site || this.isBusy || message === '') return;
    this.setBusy(true);
    this.root.querySelector('.suggestions')?.remove();
    this.log.append(element('div', { class: 'mine' }, message));
    const text = element('div', { class: 'answer' });
    const note = element('p', { class: 'writing' }, this.words.writing);
    const place = element('div', {}, note, text);
    this.log.append(place);
    this.scrollToEnd();
    let written = '';
    try {
      const answer = await this.site.ask(message, (part) => {
        note.hidden = true;
        written += part;
        text.replaceChildren(...renderAnswer(written, () => undefined));
        this.scrollToEnd();
      });
      note.remove();
      this.finish(place, text, answer);
      this.dispatch('latchkey-answer', { question: message, answered: answer.answered });
    } catch (error) {
      note.remove();
      const failure = error instanceof SiteError ? error.failure : 'failed';
      place.append(element('p', { class: 'note alert', role: 'alert' }, this.explain(failure)));
      if (this.field.value === '') this.field.value = message;
    } finally {
      this.setBusy(false);
      this.scrollToEnd();
    }
  }

  private async build(site: Site): Promise<void> {
    try {
      this.view = await site.view();
    } catch {
      // A page without its chat is better than a button that does not work.
      return;
    }
    const { theme } = this.view;
    const language =
      this.getAttribute('lang') ?? (document.documentElement.lang || navigator.language);
    this.words = wordsOf(language);
    const { frame } = this;
    frame.lang = language;
    const direction = getComputedStyle(this.parentElement ?? document.body).direction;
    frame.dir = direction === 'rtl' || directionOf(language) === 'rtl' ? 'rtl' : 'ltr';
    if (theme.position === 'left') frame.dataset['position'] = 'left';
    if (theme.accent !== undefined) {
      // A page that sets the property itself is right.
      const own = getComputedStyle(this).getPropertyValue('--latchkey-accent');
      if (own === '') this.style.setProperty('--latchkey-accent', theme.accent);
      if (own === '') this.style.setProperty('--latchkey-on-accent', readableOn(theme.accent));
    }
    this.followScheme(theme.color_scheme ?? 'auto');
    this.fill(this.view);
    this.root.replaceChildren(frame);
    if (this.isInline) this.panel.hidden = false;
    addEventListener('hashchange', this.onHash);
    this.askByLink();
  }

  private fill({ name, greeting, suggestions, contact_url: contact, state }: SiteView): void {
    const { words, frame } = this;
    if (this.isInline) frame.dataset['inline'] = '';
    this.launcher.append(icon(ICONS.chat), words.open);
    this.launcher.addEventListener('click', () => {
      this.open();
    });
    const close = element('button', { type: 'button', 'aria-label': words.close });
    close.append(icon(ICONS.close));
    close.addEventListener('click', () => {
      this.close();
    });
    const title = element('h2', { id: 'title' }, name);
    this.log.setAttribute('aria-labelledby', 'title');
    this.log.append(element('p', {}, greeting ?? words.greeting));
    if (suggestions.length > 0 && state === 'active') this.log.append(this.suggest(suggestions));
    if (state === 'paused') {
      this.log.append(element('p', { class: 'note', role: 'status' }, words.paused));
    }
    this.field.setAttribute('aria-label', words.placeholder);
    this.field.placeholder = words.placeholder;
    this.field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    const arrow = icon(ICONS.send);
    arrow.setAttribute('class', 'flip');
    this.send.setAttribute('aria-label', words.send);
    this.send.append(arrow);
    const form = element('form', {}, this.field, this.send);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const { value } = this.field;
      if (this.isBusy || value.trim() === '') return;
      this.field.value = '';
      void this.ask(value);
    });
    this.panel.setAttribute('role', this.isInline ? 'region' : 'dialog');
    this.panel.setAttribute('aria-labelledby', 'title');
    this.panel.addEventListener('keydown', (event) => {
      // The page must not react to what is typed here.
      event.stopPropagation();
      if (event.key === 'Escape') this.close();
    });
    this.panel.append(
      element('header', {}, title, ...(this.isInline ? [] : [close])),
      this.log,
      ...this.contact(contact),
      form,
    );
    frame.append(...(this.isInline ? [] : [this.launcher]), this.panel);
  }

  private suggest(suggestions: readonly string[]): HTMLElement {
    const list = element('div', { class: 'suggestions' });
    for (const suggestion of suggestions) {
      const button = element('button', { type: 'button' }, suggestion);
      button.addEventListener('click', () => void this.ask(suggestion));
      list.append(button);
    }
    return list;
  }

  /** The way to a person: an event that the page may take, or else a link. */
  private contact(address: string | null): HTMLElement[] {
    const href = webAddress(address);
    if (href === undefined) return [];
    const link = element('a', { href, target: '_blank', rel: 'noopener' }, this.words.person);
    link.addEventListener('click', (event) => {
      if (!this.dispatch('latchkey-contact', {})) event.preventDefault();
    });
    return [element('p', { class: 'contact note' }, link)];
  }

  private finish(place: HTMLElement, text: HTMLElement, answer: Answer): void {
    const number = ++this.answers;
    const idOf = ({ index }: Source) => `source-${number}-${index}`;
    const cited = answer.sources.filter((source) => source.cited === true);
    const details = element('details', {}, element('summary', {}, this.words.sources));
    text.replaceChildren(
      ...renderAnswer(answer.answer, (index) => {
        const source = cited.find((one) => one.index === index);
        if (!source) return undefined;
        const link = element('a', { class: 'cite', href: `#${idOf(source)}` }, `[${index}]`);
        link.addEventListener('click', (event) => {
          event.preventDefault();
          details.open = true;
          this.root.getElementById(idOf(source))?.scrollIntoView({ block: 'nearest' });
        });
        return link;
      }),
    );
    if (cited.length > 0) {
      const list = element('ol');
      for (const source of cited) list.append(this.showSource(source, idOf(source)));
      details.append(list);
      place.append(details);
    }
    place.append(this.rating(answer.message_id));
  }

  private showSource(source: Source, id: string): HTMLElement {
    const { index, document_title: title, heading, page, snippet } = source;
    const href = webAddress(source.source_url);
    const name = href
      ? element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, title)
      : element('strong', {}, title);
    const where = [
      ...(heading === null ? [] : [heading]),
      ...(page === null ? [] : [this.words.page.replace('{}', String(page))]),
    ].join(' · ');
    const shown = element('li', { id }, `[${index}] `, name);
    if (where !== '') shown.append(' ', element('span', { class: 'place' }, where));
    shown.append(element('p', { class: 'snippet' }, snippet));
    return shown;
  }

  private rating(messageId: string): HTMLElement {
    const { words } = this;
    const thanks = element('span', { role: 'status' });
    const box = element('div', { class: 'rate' });
    const buttons = (['up', 'down'] as const).map((rating) => {
      const label = rating === 'up' ? words.helpful : words.notHelpful;
      const button = element('button', {
        type: 'button',
        'aria-label': label,
        'aria-pressed': 'false',
      });
      button.append(icon(ICONS[rating]));
      button.addEventListener('click', () => {
        void this.site?.rate(messageId, rating).then(
          () => {
            for (const one of buttons) one.setAttribute('aria-pressed', String(one === button));
            thanks.textContent = words.thanks;
          },
          () => (thanks.textContent = words.failed),
        );
      });
      return button;
    });
    box.append(...buttons, thanks);
    return box;
  }

  private explain(failure: Failure): string {
    const { paused, spent, tooFast, forbidden, failed } = this.words;
    return { paused, spent, 'too fast': tooFast, forbidden, failed }[failure];
  }

  /** A link such as `<a href="#ask=How long may I return an order?">` opens the chat at its question. */
  private askByLink(): void {
    if (!location.hash.startsWith(LINK)) return;
    let question: string;
    try {
      question = decodeURIComponent(location.hash.slice(LINK.length).replaceAll('+', ' '));
    } catch {
      return;
    }
    history.replaceState(history.state, '', location.pathname + location.search);
    this.open();
    // Somebody else may have written the link, so the visitor sends the question.
    this.field.value = question;
  }

  private followScheme(scheme: 'auto' | 'light' | 'dark'): void {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      const isDark = scheme === 'dark' || (scheme === 'auto' && system.matches);
      this.frame.dataset['scheme'] = isDark ? 'dark' : 'light';
    };
    system.addEventListener('change', apply);
    apply();
  }

  private setBusy(isBusy: boolean): void {
    this.isBusy = isBusy;
    this.send.disabled = isBusy;
    this.log.setAttribute('aria-busy', String(isBusy));
  }

  private scrollToEnd(): void {
    this.log.scrollTop = this.log.scrollHeight;
  }

  private dispatch(name: string, detail: object): boolean {
    return this.dispatchEvent(
      new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }),
    );
  }

  private get isInline(): boolean {
    return this.hasAttribute('inline');
  }
}

/** Black or white, whichever is easier to read on a colour. */
function readableOn(colour: string): string {
  const hex = colour.replace('#', '');
  const full = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => {
    const value = Number.parseInt(full.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.179 ? '#000' : '#fff';
}
