/** Lets the browser save a file, or show it in a tab. */
export function openFile(content: Blob, how: { download: string } | { target: string }): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  // `how` has attributes of a link.
  Object.assign(link, { href: url, rel: 'noopener', ...how });
  link.click();
  // Some browsers read the content only after the click has returned.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
