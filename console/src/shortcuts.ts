import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useShared } from './load.js';
import { listPageGroups } from './navigation.js';

const KEPT = 'latchkey-shortcuts';
/** How long the second key of `g d` is waited for. */
const SEQUENCE_MS = 1500;
const changed = new EventTarget();

const areOn = () => localStorage.getItem(KEPT) !== 'off';

/** Switches shortcuts of a single key on or off, for those whose speech or tremor presses keys unmeant. */
export function setShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, 'off');
  changed.dispatchEvent(new Event('change'));
}

export function useShortcutsSetting(): boolean {
  const [isOn, set] = useState(areOn);
  useEffect(() => {
    const update = () => {
      set(areOn());
    };
    changed.addEventListener('change', update);
    return () => {
      changed.removeEventListener('change', update);
    };
  }, []);
  return isOn;
}

/** What single keys do on every page; `?` lists them. */
export const KEYS: readonly (readonly [string, string])[] = [
  ['c', 'Create what the page creates'],
  ['/', 'Search the list'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['x', 'Select the row'],
  ['z', 'Undo what was just done'],
  ['Esc', 'Close what is open, leave a field'],
  ['?', 'Show this list'],
];

/** Where nothing may happen: a field takes the key, or a layer lies on the page. */
const isTaken = (target: EventTarget | null) =>
  (target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role=menu] *'))) ||
  document.querySelector('dialog[open], :popover-open') !== null;

const click = (selector: string) => {
  const element = document.querySelector<HTMLElement>(selector);
  element?.click();
  return element !== null;
};

function focusFilter(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  field?.focus();
  field?.select();
  return field !== null;
}

const listRows = () => [...document.querySelectorAll<HTMLElement>('main tbody tr')];

/** Moves the focus to what leads on in the next row or the one before; from elsewhere to the first row. */
function stepRow(step: 1 | -1): boolean {
  const rows = listRows();
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = current < 0 ? rows[0] : rows[current + step];
  const target =
    next?.querySelector<HTMLElement>('td:not(.selection) :is(a, button, select)') ??
    next?.querySelector<HTMLElement>('input');
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
  return target !== undefined && target !== null;
}

function selectRow(): boolean {
  const row = listRows().find((each) => each.contains(document.activeElement));
  const box = row?.querySelector<HTMLInputElement>('.selection input');
  box?.click();
  return box !== undefined && box !== null;
}

/** The buttons that create something stand at the head of a page, or in its empty list. */
const CREATE = ':is(.page-header, .empty, .drop) button.primary';

/** Listens to single keys: never while somebody types, with a dialog open, or when they are switched off. */
export function useShortcuts(): void {
  const { help, isRunning } = useShared();
  const [path, go] = useLocation();
  useEffect(() => {
    let went = 0;
    const goTo = (key: string): boolean => {
      if (key === 'h') {
        go('/');
        return true;
      }
      const kbId = /^\/kbs\/(\w+)/.exec(path)?.[1];
      const pages = listPageGroups(isRunning).flatMap((group) => group.pages);
      const page = pages.find(({ shortcut }) => shortcut === key);
      if (kbId === undefined || !page) return false;
      go(`/kbs/${kbId}/${page.name}`);
      return true;
    };
    const act = (key: string): boolean => {
      const isSecond = Date.now() - went < SEQUENCE_MS;
      went = 0;
      if (isSecond) return goTo(key);
      switch (key) {
        case 'g':
          went = Date.now();
          return true;
        case 'c':
          return click(CREATE);
        case '/':
          return focusFilter();
        case 'j':
          return stepRow(1);
        case 'k':
          return stepRow(-1);
        case 'x':
          return selectRow();
        case 'z':
          return click('.notice button');
        case '?':
          help();
          return true;
        default:
          return false;
      }
    };
    const press = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.defaultPrevented || event.isComposing) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (key === 'Escape' && target instanceof HTMLInputElement && target.type === 'search') {
        target.blur();
        return;
      }
      if (!areOn() || isTaken(target)) return;
      if (act(key)) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => {
      removeEventListener('keydown', press);
    };
  }, [path, help]);
}
