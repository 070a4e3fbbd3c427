/** The path before the branch in URLs of files, by the name of the host. */
const FORMS: readonly (readonly [host: RegExp, before: string])[] = [
  [/(?:^|\.)github\./, 'blob'],
  [/(?:^|\.)gitlab\./, '-/blob'],
  [/(?:^|\.)bitbucket\.org$/, 'src'],
  [/(?:^|\.)(?:codeberg\.org|gitea\.)/, 'src/branch'],
];

/** The URL at which people see a file of a repository; empty for unknown hosts. */
export function toFileAddress(url: string, branch: string, path: string): string {
  const { origin, hostname, pathname } = new URL(url);
  const form = FORMS.find(([host]) => host.test(hostname));
  if (!form) return '';
  const encoded = [...branch.split('/'), ...path.split('/')].map(encodeURIComponent).join('/');
  return `${origin}${pathname.replace(/\.git\/?$|\/$/, '')}/${form[1]}/${encoded}`;
}
