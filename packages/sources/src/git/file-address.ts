/** How hosts name the page of a file, by a part of the host's name. */
const FORMS: readonly (readonly [host: RegExp, before: string])[] = [
  [/(?:^|\.)github\./, 'blob'],
  [/(?:^|\.)gitlab\./, '-/blob'],
  [/(?:^|\.)bitbucket\.org$/, 'src'],
  [/(?:^|\.)(?:codeberg\.org|gitea\.)/, 'src/branch'],
];

/** Where people see a file of a repository; an empty text at hosts that are not known. */
export function fileAddress(url: string, branch: string, path: string): string {
  const { origin, hostname, pathname } = new URL(url);
  const form = FORMS.find(([host]) => host.test(hostname));
  if (!form) return '';
  const encoded = [...branch.split('/'), ...path.split('/')].map(encodeURIComponent).join('/');
  return `${origin}${pathname.replace(/\.git\/?$|\/$/, '')}/${form[1]}/${encoded}`;
}
