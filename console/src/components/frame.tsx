import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useShared } from '../load.js';
import { Icon, type IconName } from './icon.js';
import { UserButton, UserMenu } from './user-menu.js';

let isTraversal = false;
addEventListener('popstate', () => {
  isTraversal = true;
});

/** The sidebar, which is a sheet on phones, and the page beside it. */
export function Frame(props: {
  /** The name of the current section, for the bar that replaces the sidebar on phones. */
  label: string;
  nav: ComponentChildren;
  children: ComponentChildren;
}) {
  const { find } = useShared();
  const [isOpen, setOpen] = useState(false);
  const [path] = useLocation();
  const menu = useRef<HTMLButtonElement>(null);
  const sidebar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    setOpen(false);
    sidebar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    // The browser itself goes back to where a page was left.
    if (!isTraversal) scrollTo(0, 0);
    isTraversal = false;
  }, [path]);
  useEffect(() => {
    if (!isOpen) return;
    sidebar.current?.querySelector<HTMLElement>('[aria-current], a')?.focus();
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      menu.current?.focus();
    };
    addEventListener('keydown', close);
    return () => {
      removeEventListener('keydown', close);
    };
  }, [isOpen]);
  return (
    <div class={isOpen ? 'frame open' : 'frame'}>
      <aside
        class="sidebar"
        aria-label="Navigation"
        ref={sidebar}
        onClick={() => {
          setOpen(false);
        }}
      >
        <Link href="/" class="brand">
          <img src="/console/icon.svg" alt="" /> Latchkey
        </Link>
        <button type="button" class="finder" onClick={find}>
          <Icon name="search" /> Go to… <kbd>{SHORTCUT}</kbd>
        </button>
        {props.nav}
        <div class="foot">
          <UserButton />
        </div>
      </aside>
      <div inert={isOpen}>
        <header class="top">
          <button
            type="button"
            class="plain icon-only"
            aria-label="Menu"
            aria-expanded={isOpen}
            ref={menu}
            onClick={() => {
              setOpen(true);
            }}
          >
            <Icon name="menu" />
          </button>
          <strong dir="auto">{props.label}</strong>
          <button type="button" class="plain icon-only" aria-label="Go to…" onClick={find}>
            <Icon name="search" />
          </button>
          <UserButton isSmall />
        </header>
        <main id="content" tabIndex={-1}>
          {props.children}
        </main>
      </div>
      <UserMenu />
      <button
        type="button"
        class="sheet-end"
        aria-label="Close the menu"
        onClick={() => {
          setOpen(false);
        }}
      />
    </div>
  );
}

const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/** One line of the sidebar. */
export function NavLink(props: {
  href: string;
  icon: IconName;
  label: string;
  isCurrent: boolean;
}) {
  return (
    <li>
      <Link href={props.href} aria-current={props.isCurrent ? 'page' : undefined}>
        <Icon name={props.icon} /> {props.label}
      </Link>
    </li>
  );
}
