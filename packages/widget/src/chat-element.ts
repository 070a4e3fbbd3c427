import { ChatPanel } from './chat-panel.js';
import { element, icon, ICONS } from './dom.js';
import { Site, type SiteView } from './site.js';
import { addStyles } from './styles.js';
import { accentColours } from './theme.js';
import { findWords, isRightToLeft, type Words } from './words.js';

/** The part of the address after which a page opens at a question. */
const LINK = '#ask=';
const PHONE = '(max-width: 480px)';
const DARK = '(prefers-color-scheme: dark)';

/** On servers, which render pages with it, there are no elements. */
const Element =
  (globalThis as { HTMLElement?: typeof HTMLElement }).HTMLElement ?? (Object as never);

/**
 * `<latchkey-chat site="site_…" service="https://…">`: a button and the chat that it opens; with `inline` the chat alone,
 * as a part of the page.
 */
export class LatchkeyChat extends Element {
  static readonly observedAttributes = ['site', 'service', 'inline', 'contact'];

  #panel: ChatPanel | undefined;
  #memory: Site['memory'] | undefined;
  #launcher = element('button', { type: 'button', class: 'launcher' });
  #connection: AbortController | undefined;
  #ready: Promise<void> = Promise.resolve();

  get site(): string {
    return this.getAttribute('site') ?? '';
  }

  // Frameworks set properties where an element has them.
  set site(id: string) {
    this.setAttribute('site', id);
  }

  /** The address of the service. */
  get service(): string {
    return this.getAttribute('service') ?? '';
  }

  set service(address: string) {
    this.setAttribute('service', address);
  }

  get inline(): boolean {
    return this.hasAttribute('inline');
  }

  set inline(isInline: boolean) {
    this.toggleAttribute('inline', isInline);
  }

  /** Whether a page without `contact_url` shows the way to a person, by the event `latchkey-contact`. */
  get contact(): boolean {
    return this.hasAttribute('contact');
  }

  set contact(hasContact: boolean) {
    this.toggleAttribute('contact', hasContact);
  }

  connectedCallback(): void {
    this.#start();
  }

  disconnectedCallback(): void {
    this.#connection?.abort();
    this.#connection = undefined;
    this.#panel?.stop();
  }

  attributeChangedCallback(_: string, former: string | null, value: string | null): void {
    if (this.#connection && former !== value) this.#start();
  }

  /** Opens the chat, and goes to its field. */
  open(): void {
    this.#open();
    this.#panel?.field.focus();
  }

  close(): void {
    this.#findDialog()?.close();
  }

  /** Opens the chat and asks a question. */
  async ask(question: string): Promise<void> {
    await this.#ready;
    this.open();
    await this.#panel?.ask(question);
  }

  #start(): void {
    this.#connection?.abort();
    const connection = (this.#connection = new AbortController());
    const { site, service } = this;
    if (site === '' || service === '') return;
    this.#ready = this.#load(new Site(service, site), connection.signal);
  }

  async #load(site: Site, signal: AbortSignal): Promise<void> {
    const language =
      (this.closest<HTMLElement>('[lang]') ?? this.#findContext().closest<HTMLElement>('[lang]'))
        ?.lang || navigator.language;
    const found = findWords(language);
    let view: SiteView;
    try {
      view = await site.view();
    } catch {
      console.warn('Latchkey: the chat is not shown, since its site cannot be reached.');
      // A page without its chat is better than a button that does not work.
      if (this.inline && !signal.aborted)
        this.#show(element('p', { class: 'missing' }, found.words.failed), found.language);
      return;
    }
    if (signal.aborted) return;
    this.#memory = site.memory;
    this.#build(site, view, found.words, found.language, signal);
  }

  #build(site: Site, view: SiteView, words: Words, language: string, signal: AbortSignal): void {
    const panel = new ChatPanel({
      ...{ site, view, words, hasContact: this.contact },
      ...(!this.inline && {
        close: () => {
          this.close();
        },
      }),
      dispatch: (name, detail) =>
        this.dispatchEvent(
          new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }),
        ),
    });
    this.#panel = panel;
    this.#launcher = element('button', {
      type: 'button',
      class: 'launcher',
      'aria-haspopup': 'dialog',
    });
    this.#launcher.append(icon(ICONS.chat), element('span', {}, words.open));
    this.#launcher.addEventListener('click', () => {
      this.open();
    });
    panel.node.addEventListener('close', () => {
      this.#closed();
    });
    for (const type of ['keydown', 'keyup', 'keypress'] as const) {
      panel.node.addEventListener(type, (event) => {
        // The page must not react to what is typed here.
        event.stopPropagation();
        if (type === 'keydown' && event.key === 'Escape' && !event.isComposing) this.close();
      });
    }
    const frame = this.#show(panel.node, language);
    if (this.inline) frame.dataset['inline'] = '';
    else {
      frame.prepend(this.#launcher);
      frame.role = 'region';
      frame.ariaLabel = view.name;
    }
    if (view.theme.position) frame.dataset['position'] = view.theme.position;
    frame.style.setProperty('--place', String(this.#findPlace()));
    this.#followScheme(frame, view.theme, signal);
    if (site.memory.now.isOpen) this.#reopen();
    const takeLink = () => {
      this.#takeLink();
    };
    addEventListener('hashchange', takeLink, { signal });
    takeLink();
  }

  /** Shows it in place of what was there. */
  #show(node: HTMLElement, language: string): HTMLElement {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    addStyles(root);
    const { direction } = getComputedStyle(this.#findContext());
    const isMirrored = direction === 'rtl' || isRightToLeft(language);
    const frame = element(
      'div',
      { class: 'root', lang: language, dir: isMirrored ? 'rtl' : 'ltr' },
      node,
    );
    root.replaceChildren(frame);
    return frame;
  }

  /** Whose language and direction count. */
  #findContext(): HTMLElement {
    const { parentElement } = this;
    return parentElement && parentElement !== document.documentElement
      ? parentElement
      : document.body;
  }

  #open(): void {
    const dialog = this.#findDialog();
    if (!dialog || dialog.open) return;
    for (const other of document.querySelectorAll<LatchkeyChat>(this.localName)) {
      if (other !== this) other.close();
    }
    // On a phone it covers the page, which nobody should get lost in.
    if (matchMedia(PHONE).matches) dialog.showModal();
    else dialog.show();
    this.#opened();
  }

  /** On the next page of a visit it is open again, and leaves the focus where it is; it does not cover a page unasked. */
  #reopen(): void {
    if (matchMedia(PHONE).matches) return;
    this.#findDialog()?.setAttribute('open', '');
    this.#opened();
  }

  #opened(): void {
    this.#launcher.hidden = true;
    this.#memory?.change({ isOpen: true });
    this.#panel?.scrollToEnd();
  }

  #findDialog(): HTMLDialogElement | undefined {
    const { node } = this.#panel ?? {};
    return node instanceof HTMLDialogElement ? node : undefined;
  }

  #closed(): void {
    this.#launcher.hidden = false;
    this.#memory?.change({ isOpen: false });
    const isLost = document.activeElement === this || document.activeElement === document.body;
    if (isLost) this.#launcher.focus();
  }

  /** Chats of other sites are above each other. */
  #findPlace(): number {
    const all = [...document.querySelectorAll<LatchkeyChat>(this.localName)];
    return Math.max(0, all.filter((one) => !one.inline).indexOf(this));
  }

  /** A link such as `<a href="#ask=How long may I return an order?">` opens the chat at its question. */
  #takeLink(): void {
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
    this.#panel?.suggest(question);
  }

  #followScheme(frame: HTMLElement, theme: SiteView['theme'], signal: AbortSignal): void {
    const system = matchMedia(DARK);
    const { accent, color_scheme: wanted = 'auto' } = theme;
    const apply = () => {
      const scheme = wanted === 'auto' ? (system.matches ? 'dark' : 'light') : wanted;
      frame.dataset['scheme'] = scheme;
      for (const [name, value] of Object.entries(accentColours(accent, scheme))) {
        frame.style.setProperty(name, value);
      }
    };
    system.addEventListener('change', apply, { signal });
    apply();
  }
}
