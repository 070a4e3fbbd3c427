import { useEffect, useState } from 'preact/hooks';

export type Theme = 'system' | 'light' | 'dark';

/** The themes: what they are called, and what chooses them. */
export const THEMES: readonly (readonly [Theme, string, string])[] = [
  ['system', 'System', 'Use the theme of the system'],
  ['light', 'Light', 'Use the light theme'],
  ['dark', 'Dark', 'Use the dark theme'],
];

/** `public/theme.js` reads it before the page is first painted. */
const KEPT = 'latchkey-theme';
const changed = new EventTarget();

const readTheme = (): Theme => {
  const kept = localStorage.getItem(KEPT);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
};

/** Shows the page in a theme, and the next ones too. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  changed.dispatchEvent(new Event('change'));
}

export function useTheme(): Theme {
  const [theme, set] = useState(readTheme);
  useEffect(() => {
    const update = () => {
      set(readTheme());
    };
    // Another tab has chosen another one.
    const follow = ({ key }: StorageEvent) => {
      if (key === KEPT) setTheme(readTheme());
    };
    changed.addEventListener('change', update);
    addEventListener('storage', follow);
    return () => {
      changed.removeEventListener('change', update);
      removeEventListener('storage', follow);
    };
  }, []);
  return theme;
}
