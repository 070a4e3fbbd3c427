import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.js';

export const CREDENTIALS = { username: 'ada', password: 'app-password-1' };
const ROOT = '/remote.php/dav/files/ada/';

/** A server with the part of WebDAV that sources use, as Nextcloud answers it. */
export class DavServer extends LocalServer {
  /** By path below the address; folders are those of the names. */
  readonly files = new Map<string, string>();
  /** What is written for the address of each entry. */
  toHref = (path: string): string => path;
  private readonly ids = new Map<string, number>();

  static start(): Promise<DavServer> {
    return new DavServer().listen();
  }

  get config() {
    return { url: `${this.url}${ROOT}` };
  }

  move(from: string, to: string): void {
    this.files.set(to, this.files.get(from) ?? '');
    this.files.delete(from);
    this.ids.set(to, this.idOf(from));
  }

  protected answer(request: IncomingMessage, response: ServerResponse, { pathname }: URL): void {
    const { username, password } = CREDENTIALS;
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    const path = decodeURIComponent(pathname);
    const name = path.slice(ROOT.length);
    const content = this.files.get(name);
    if (request.headers.authorization !== `Basic ${basic}`) response.writeHead(401).end();
    else if (request.method === 'PROPFIND') this.answerListing(request, response, name);
    else if (content === undefined || !path.startsWith(ROOT)) response.writeHead(404).end();
    else response.writeHead(200, { etag: etagOf(content) }).end(content);
  }

  private answerListing(request: IncomingMessage, response: ServerResponse, name: string): void {
    const folder = name === '' || name.endsWith('/') ? name : `${name}/`;
    const below = [...this.files.keys()].filter((one) => one.startsWith(folder));
    if (request.headers.depth !== '1') response.writeHead(403).end();
    else if ((below.length === 0 && name !== '') || !request.url?.startsWith(ROOT)) {
      response.writeHead(404).end();
    } else {
      const names = new Set(below.map((one) => one.slice(folder.length).replace(/\/.*$/s, '/')));
      const entries = ['', ...names].map((one) => this.entry(`${folder}${one}`));
      response.writeHead(207, { 'content-type': 'application/xml' }).end(multistatus(entries));
    }
  }

  private entry(name: string): string {
    const path = `${ROOT}${name}`.split('/').map(encodeURIComponent).join('/');
    const content = this.files.get(name);
    const properties =
      content === undefined
        ? '<d:resourcetype><d:collection/></d:resourcetype>'
        : `<d:resourcetype/><d:getetag>&quot;${etagOf(content).slice(1, -1)}&quot;</d:getetag><d:getlastmodified>Wed, 05 Mar 2025 08:00:00 GMT</d:getlastmodified><d:getcontentlength>${Buffer.byteLength(content)}</d:getcontentlength><oc:fileid>${this.idOf(name)}</oc:fileid>`;
    return davEntry(this.toHref(path), properties);
  }

  /** The version that a source gives a file. */
  versionOf(name: string): string {
    return `${this.idOf(name)} ${etagOf(this.files.get(name) ?? '').slice(1, -1)}`;
  }

  private idOf(name: string): number {
    const id = this.ids.get(name) ?? this.ids.size + 100;
    this.ids.set(name, id);
    return id;
  }
}

export const davEntry = (href: string, properties: string): string =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><d:quota/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>`;

export const multistatus = (entries: readonly string[]): string =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">${entries.join('')}</d:multistatus>`;

const etagOf = (content: string) => `"${createHash('md5').update(content).digest('hex')}"`;
