import { Injectable } from '@nestjs/common';
import { confluence } from '@latchkey/sources/confluence';
import { folder } from '@latchkey/sources/folder';
import { git } from '@latchkey/sources/git';
import { imap } from '@latchkey/sources/imap';
import { s3 } from '@latchkey/sources/s3';
import { InvalidSource, type SourceKind } from '@latchkey/sources/source-kind';
import { webdav } from '@latchkey/sources/webdav';
import { website } from '@latchkey/sources/website';
import { findUrlProblem } from '../../platform/http/receiver-address.js';
import { Config } from '../../platform/config/config.js';
import { type FieldError, Problem } from '../../platform/problems/problem.js';
import { OIKB, oikb } from './oikb-kind.js';
import { closedPaths } from './separate-folders.js';

export const SOURCE_TYPES = [
  'website',
  's3',
  'git',
  'folder',
  'confluence',
  'webdav',
  'imap',
  'oikb',
] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** The configuration fields that name the server that credentials are sent to. */
const SERVER_FIELDS = ['url', 'base_url', 'endpoint'];

/** The kinds of sources. */
@Injectable()
export class SourceKinds {
  private readonly kinds: Record<SourceType, SourceKind>;
  private readonly allowPrivate: boolean;

  constructor(config: Config) {
    this.kinds = {
      website,
      s3,
      git,
      folder: folder(config.SOURCE_FOLDERS, closedPaths(config)),
      confluence,
      webdav,
      imap,
      oikb,
    };
    this.allowPrivate = config.SOURCE_ALLOW_PRIVATE === 'yes';
  }

  findKind(type: string): SourceKind | undefined {
    return Object.hasOwn(this.kinds, type) ? this.kinds[type as SourceType] : undefined;
  }

  /**
   * Validates a configuration and credentials.
   *
   * @throws Problem `validation_failed`
   */
  parse(type: string, config: object, credentials: object | null): ReturnType<SourceKind['parse']> {
    const kind = this.findKind(type);
    if (!kind) throw new Problem('validation_failed');
    try {
      const trimmed = withTrimmedAddresses(config);
      const parsed = kind.parse(trimmed, credentials ?? undefined);
      // Nothing is sent to the addresses of a source whose documents are brought.
      const errors = type === OIKB ? [] : this.addressProblems(trimmed);
      if (errors.length > 0) throw new Problem('validation_failed', { errors });
      return parsed;
    } catch (error) {
      if (!(error instanceof InvalidSource)) throw error;
      throw new Problem('validation_failed', { errors: [...error.problems] });
    }
  }

  private addressProblems(config: object): FieldError[] {
    return Object.entries(config).flatMap(([name, value]: [string, unknown]) =>
      [value].flat().flatMap((text) => {
        if (typeof text !== 'string' || !isAddress(text)) return [];
        // Hosts are only normalized in addresses of the web.
        const webAddress = text.replace(/^imaps?:/i, 'https:');
        const problem = findUrlProblem(webAddress, this.allowPrivate, true);
        if (problem === undefined) return [];
        const field = `config.${name}`;
        const hint = /public address$/.test(problem) ? ', unless SOURCE_ALLOW_PRIVATE=yes' : '';
        return [{ field, message: problem.replace(/^url/, field) + hint }];
      }),
    );
  }
}

/** Whether a client would accept a text as the address of a server, which may begin with white space. */
const isAddress = (text: string) => /^(?:https?|imaps?):$/.test(URL.parse(text)?.protocol ?? '');

function withTrimmedAddresses(config: object): object {
  const trim = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(trim);
    return typeof value === 'string' && isAddress(value) ? value.trim() : value;
  };
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [name, trim(value)]));
}

/** Whether credentials would be sent to another server than before. */
export const hasOtherServer = (before: object, after: object): boolean =>
  SERVER_FIELDS.some((name) => Reflect.get(before, name) !== Reflect.get(after, name));
