/**
 * Moves the focus to the page's content when the element that had it is removed, such as a link of
 * the page before; else the next Tab would begin at the top of the document.
 */
export function keepFocus(root: HTMLElement): void {
  let last: Element | null = null;
  root.addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? target : null;
  });
  new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    document.getElementById('content')?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}
