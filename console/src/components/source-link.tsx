/** Links only web addresses, because a `javascript:` address would run. */
export function SourceLink({ url }: { url: string }) {
  return /^https?:/i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  ) : (
    <code>{url}</code>
  );
}
