import type { Document, Problem } from './client.js';
import { runCommand } from './command.js';
import type { Service } from './service.js';
import { sql } from './sql.js';

/** Too large to stay in the database beside the files of DATA_DIR. */
export const largeText = (subject: string) =>
  `${`${subject} within 30 days. `.repeat(4000)}The end.`;

export const uploaded = async (
  service: Pick<Service, 'url'>,
  user: string,
  kbId: string,
  file: File,
  more: Record<string, string> = {},
) => {
  const form = new FormData();
  form.set('file', file);
  for (const [name, value] of Object.entries(more)) form.set(name, value);
  const response = await fetch(`${service.url}/api/v1/kbs/${kbId}/documents`, {
    method: 'POST',
    headers: { 'x-idp-user-id': user },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Document & Problem };
};

export const download = (
  service: Pick<Service, 'url'>,
  user: string,
  id: string,
  headers: Record<string, string> = {},
  name = 'original',
) =>
  fetch(`${service.url}/api/v1/documents/${id}/${name}`, {
    headers: { 'x-idp-user-id': user, ...headers },
    redirect: 'manual',
  });

export const move = (service: Pick<Service, 'environment'>, CONTENT_STORE: string) =>
  runCommand('operations/move-contents.command.js', {
    ...service.environment,
    CONTENT_STORE,
  });

export const storedContents = (service: Pick<Service, 'environment'>) =>
  sql<{ key: string }>(service.environment, 'SELECT key FROM stored_contents');
