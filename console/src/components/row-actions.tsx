import {
  type ComponentChildren,
  createContext,
  Fragment,
  isValidElement,
  toChildArray,
} from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.js';

/** Closes the menu that an action is in; null outside of one. */
const MenuContext = createContext<(() => void) | null>(null);

/** An action of a row, in its menu; elsewhere a button. */
export function RowAction(props: {
  /** What screen readers say, if the row is not clear from the text. */
  label?: string;
  onPress: () => void;
  children: string;
}) {
  const close = useContext(MenuContext);
  if (!close) {
    return (
      <button type="button" class="link" aria-label={props.label} onClick={props.onPress}>
        {props.children}
      </button>
    );
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-label={props.label}
      onClick={() => {
        close();
        props.onPress();
      }}
    >
      {props.children}
    </button>
  );
}

const MOST_LETTERS = 80;

const STEPS: Record<string, (current: number, last: number) => number> = {
  ArrowDown: (current, last) => (current === last ? 0 : current + 1),
  ArrowUp: (current, last) => (current <= 0 ? last : current - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * The actions of a row behind one quiet button, so that a table is not a column of links. The menu lies in the top
 * layer, where no scrolling table cuts it off.
 */
function RowMenu({ children }: { children: ComponentChildren }) {
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  // The row names its menu, for those who do not see where it stands.
  useLayoutEffect(() => {
    const cell = button.current?.closest('tr')?.querySelector('td:not(.selection)');
    const name = (cell?.firstElementChild ?? cell)?.textContent.trim().slice(0, MOST_LETTERS);
    if (name === undefined || name === '') return;
    for (const each of [button, menu]) each.current?.setAttribute('aria-label', `Actions: ${name}`);
  });
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const close = () => {
    menu.current?.hidePopover();
    button.current?.focus();
  };
  const open = (at: 'first' | 'last') => {
    if (!menu.current || !button.current) return;
    menu.current.showPopover();
    place(menu.current, button.current);
    items()
      .at(at === 'first' ? 0 : -1)
      ?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="plain icon-only more"
        aria-label="Actions"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => {
          if (isOpen) close();
          else open('first');
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          open(event.key === 'ArrowDown' ? 'first' : 'last');
        }}
      >
        <Icon name="more" />
      </button>
      <div
        ref={menu}
        class="row-menu"
        popover="auto"
        role="menu"
        aria-label="Actions"
        onToggle={(event) => {
          setOpen(event.newState === 'open');
        }}
        onKeyDown={(event) => {
          const all = items();
          const current = all.findIndex((each) => each === document.activeElement);
          const next = STEPS[event.key]?.(current, all.length - 1);
          const letter = all.find(
            (each) =>
              event.key.length === 1 &&
              each.textContent.toLowerCase().startsWith(event.key.toLowerCase()),
          );
          if (event.key === 'Tab') close();
          else if (event.key === 'Escape') {
            event.preventDefault();
            event.stopPropagation();
            close();
          } else if (next !== undefined || letter) {
            event.preventDefault();
            (next === undefined ? letter : all[next])?.focus();
          }
        }}
      >
        <MenuContext.Provider value={close}>{children}</MenuContext.Provider>
      </div>
    </>
  );
}

/** Below the button or, near the end of the window, above it; it ends where the button does. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetHeight: height, offsetWidth: width } = menu;
  const isBelow = at.bottom + height + 4 < innerHeight;
  const isRightToLeft = getComputedStyle(button).direction === 'rtl';
  const start = isRightToLeft ? at.left : at.right - width;
  menu.style.top = `${isBelow ? at.bottom + 4 : Math.max(4, at.top - height - 4)}px`;
  menu.style.left = `${Math.max(4, Math.min(start, innerWidth - width - 4))}px`;
}

/** The actions of a cell in one menu; what else is in the cell, such as a link, stays before it. */
export function toRowMenu(cell: ComponentChildren): ComponentChildren {
  const parts = flatten(cell);
  const actions = parts.filter(isAction);
  if (actions.length === 0) return cell;
  return (
    <>
      {parts.filter((part) => !isAction(part))}
      <RowMenu>{actions}</RowMenu>
    </>
  );
}

const isAction = (child: ComponentChildren) => isValidElement(child) && child.type === RowAction;

/** The children of fragments, too; what a row does not allow is false, and left out. */
const flatten = (cell: ComponentChildren): ComponentChildren[] =>
  toChildArray(cell).flatMap((child) =>
    isValidElement(child) && child.type === Fragment
      ? flatten((child.props as { children?: ComponentChildren }).children)
      : [child],
  );
