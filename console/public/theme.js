// The theme that the user has chosen, before the page is first painted; see src/theme.ts.
{
  const { document, localStorage } = globalThis;
  const theme = localStorage.getItem('latchkey-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
