import { ConfigFields } from '@latchkey/sources/config-fields';
import { SourceError, type SourceKind } from '@latchkey/sources/source-kind';

export const OIKB = 'oikb';

export interface OikbConfig {
  /** The address at which people open a document: `{path}` is its path, `{stem}` without the extension. */
  readonly links?: string;
  /** The user or service account whose requests are about this source if they name its knowledge base only. */
  readonly account?: string;
}

const refuse = () =>
  Promise.reject(
    new SourceError('not_allowed', 'oikb brings these documents: run it where they are.'),
  );

/** The kind whose documents the program oikb brings, which lists and loads them itself. */
export const oikb: SourceKind<OikbConfig, object> = {
  type: OIKB,

  parse(config, credentials) {
    const fields = new ConfigFields('config', config);
    const links = fields.optionalText('links');
    if (
      links !== undefined &&
      !(/^https?:$/.test(URL.parse(links)?.protocol ?? '') && HOLE.test(links))
    ) {
      fields.refuse('links', 'must be an http or https address that contains {path} or {stem}');
    }
    const account = fields.optionalText('account');
    fields.finish();
    new ConfigFields('credentials', credentials).finish();
    const given = {
      ...(links !== undefined && { links }),
      ...(account !== undefined && { account }),
    };
    return { config: given, credentials: {} };
  },

  test: refuse,
  open: refuse,
};

const HOLE = /\{(?:path|stem)\}/;

/** Finds the address at which people open a document; empty if the source does not say. */
export function linkTo({ links = '' }: OikbConfig, path: string): string {
  const encode = (text: string) => text.split('/').map(encodeURIComponent).join('/');
  const stem = path.replace(/\.[^./]*$/, '');
  return links.replaceAll('{path}', encode(path)).replaceAll('{stem}', encode(stem));
}
