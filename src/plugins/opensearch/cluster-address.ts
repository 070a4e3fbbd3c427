/** The addresses and the credentials of an OpenSearch cluster. */
export interface ClusterAddress {
  /** The addresses of its nodes, without credentials. */
  readonly nodes: readonly string[];
  readonly auth: { readonly username: string; readonly password: string } | undefined;
}

/** @param urls the URLs of the nodes; the first credentials found are used */
export function readClusterAddress(urls: readonly string[]): ClusterAddress {
  const parsed = urls.map((url) => new URL(url));
  const named = parsed.find(({ username }) => username !== '');
  return {
    nodes: parsed.map(({ origin }) => origin),
    auth: named && {
      username: decodeURIComponent(named.username),
      password: decodeURIComponent(named.password),
    },
  };
}
