import { contactAddress } from './addresses.js';
import type { Turn } from './answer.js';
import { element, icon, iconButton, ICONS, outsideLink } from './dom.js';
import { SiteError } from './send.js';
import type { Site, SiteView } from './site.js';
import { TurnView } from './turn-view.js';
import type { Words } from './words.js';

const MAX_QUESTION = 4000;
/** As far from its end, a conversation follows what is written. */
const NEAR_END = 80;

export interface PanelOptions {
  readonly site: Site;
  readonly view: SiteView;
  readonly words: Words;
  /** Closes the panel; undefined for one that is a part of the page. */
  readonly close?: () => void;
  /** Whether the page wants to show the way to a person by itself. */
  readonly hasContact: boolean;
  /** Tells the page. @returns false if it has taken the event */
  readonly dispatch: (name: string, detail: object) => boolean;
}

/** The conversation, and the field that a question is written in. */
export class ChatPanel {
  readonly node: HTMLElement;
  readonly field = element('textarea', { rows: '1', maxlength: String(MAX_QUESTION) });
  private readonly log = element('div', { class: 'log', role: 'log', tabindex: '0' });
  private readonly send = element('button', { type: 'submit', class: 'send' });
  private readonly status = element('p', { class: 'unseen', role: 'status' });
  private readonly again: HTMLButtonElement;
  private asking: AbortController | undefined;
  private failed: { readonly question: string; readonly view: TurnView } | undefined;
  private turns = 0;

  constructor(private readonly options: PanelOptions) {
    const { view, words, close } = options;
    this.again = iconButton(words.again, ICONS.again, () => {
      this.beginAnew();
    });
    // In a page of its own it is the only title.
    const isOnly = !close && !document.querySelector('h1');
    const title = element(isOnly ? 'h1' : 'h2', { id: 'title' }, element('bdi', {}, view.name));
    const buttons = [this.again, ...(close ? [iconButton(words.close, ICONS.close, close)] : [])];
    this.log.setAttribute('aria-labelledby', 'title');
    const contents = [
      element('div', { class: 'head' }, title, ...buttons),
      this.log,
      this.status,
      element('div', { class: 'foot' }, ...this.makeForm(), ...this.showContact()),
    ];
    const labelled = { class: 'panel', 'aria-labelledby': 'title' };
    this.node = close
      ? element('dialog', labelled, ...contents)
      : element('section', labelled, ...contents);
    this.showConversation();
  }

  /** Puts a question into the field, which the visitor sends. */
  suggest(question: string): void {
    this.field.value = question.slice(0, MAX_QUESTION);
    this.fitField();
  }

  async ask(question: string): Promise<void> {
    const { site, words, dispatch } = this.options;
    const message = question.trim().slice(0, MAX_QUESTION);
    if (this.asking || message === '') return;
    const asking = new AbortController();
    const { signal } = asking;
    this.setAsking(asking);
    // What is asked again replaces what has failed.
    if (this.failed?.question === message) this.failed.view.node.remove();
    const view = this.addTurn(message);
    try {
      const write = (part: string) => {
        const isFollowed = this.isNearEnd;
        view.write(part);
        if (isFollowed) this.scrollToEnd();
      };
      const turn = await site.ask(message, write, signal);
      this.finish(view, turn);
      const { answered, conversation_id, message_id } = turn.answer;
      dispatch('latchkey-answer', { question: message, answered, conversation_id, message_id });
    } catch (error) {
      if (signal.aborted) return;
      this.failed = { question: message, view };
      view.fail(words[error instanceof SiteError ? error.failure : 'failed']);
      if (this.field.value === '') this.suggest(message);
      this.scrollToEnd();
    } finally {
      this.endAsking(asking);
    }
  }

  /** Ends what is being asked. */
  stop(): void {
    this.asking?.abort();
  }

  scrollToEnd(): void {
    this.log.scrollTop = this.log.scrollHeight;
  }

  private get isNearEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.log;
    return scrollHeight - scrollTop - clientHeight < NEAR_END;
  }

  /** Greets the visitor, or shows what has been said in this visit. */
  private showConversation(): void {
    const { site, view, words } = this.options;
    const { turns } = site.memory.now;
    this.turns = 0;
    const greeting = element(
      'p',
      { class: 'greeting', dir: 'auto' },
      view.greeting ?? words.greeting,
    );
    const isPaused = view.state === 'paused';
    this.log.replaceChildren(
      isPaused ? element('p', { class: 'note alert' }, words.paused) : greeting,
    );
    this.again.hidden = turns.length === 0;
    if (!isPaused && turns.length === 0 && view.suggestions.length > 0) {
      this.log.append(this.showSuggestions(view.suggestions));
    }
    for (const turn of turns) this.finish(this.addTurn(turn.question), turn);
  }

  private addTurn(question: string): TurnView {
    this.log.querySelector('.suggestions')?.remove();
    this.again.hidden = false;
    const view = new TurnView(question, ++this.turns, this.options.words);
    this.log.append(view.node);
    this.scrollToEnd();
    return view;
  }

  private finish(view: TurnView, turn: Turn): void {
    const isFollowed = this.isNearEnd;
    view.finish(turn, (rating) => this.options.site.rate(turn, rating));
    if (isFollowed) this.scrollToEnd();
  }

  /** Ends the conversation, and what is being asked. */
  private beginAnew(): void {
    if (this.asking) this.endAsking(this.asking);
    this.options.site.memory.forgetConversation();
    this.showConversation();
    this.field.focus();
  }

  private setAsking(asking: AbortController | undefined): void {
    this.asking = asking;
    this.send.disabled = asking !== undefined;
    this.log.setAttribute('aria-busy', String(asking !== undefined));
    this.status.textContent = asking ? this.options.words.writing : '';
  }

  /** Unless another question is being asked already. */
  private endAsking(asking: AbortController): void {
    asking.abort();
    if (this.asking === asking) this.setAsking(undefined);
  }

  private makeForm(): HTMLElement[] {
    const { words, view } = this.options;
    if (view.state === 'paused') return [];
    this.field.setAttribute('aria-label', words.placeholder);
    this.field.placeholder = words.placeholder;
    this.field.dir = 'auto';
    this.send.setAttribute('aria-label', words.send);
    this.send.title = words.send;
    this.send.append(icon(ICONS.send));
    const form = element('form', {}, this.field, this.send);
    this.field.addEventListener('input', () => {
      this.fitField();
    });
    this.field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const { value } = this.field;
      if (this.asking || value.trim() === '') return;
      this.suggest('');
      this.field.focus();
      void this.ask(value);
    });
    return [form];
  }

  /** As high as its text, which not all browsers do by `field-sizing`. */
  private fitField(): void {
    this.field.style.blockSize = 'auto';
    if (this.field.scrollHeight > 0)
      this.field.style.blockSize = `${this.field.scrollHeight + 2}px`;
  }

  private showSuggestions(suggestions: readonly string[]): HTMLElement {
    const list = element('div', { class: 'suggestions' });
    for (const suggestion of suggestions) {
      const button = element('button', { type: 'button', dir: 'auto' }, suggestion);
      button.addEventListener('click', () => {
        // The button goes away, and with it the focus would.
        this.field.focus();
        void this.ask(suggestion);
      });
      list.append(button);
    }
    return list;
  }

  /** The way to a person: an event that the page may take, or else a link. */
  private showContact(): HTMLElement[] {
    const { view, words, site, hasContact, dispatch } = this.options;
    const href = contactAddress(view.contact_url);
    if (href === undefined && !hasContact) return [];
    const way =
      href === undefined
        ? element('button', { type: 'button' }, words.person)
        : outsideLink(href, words.person);
    way.addEventListener('click', (event) => {
      const detail = { conversation_id: site.memory.now.conversationId ?? null };
      if (!dispatch('latchkey-contact', detail)) event.preventDefault();
    });
    return [element('p', { class: 'contact' }, way)];
  }
}
