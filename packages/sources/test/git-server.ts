import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LocalServer } from './local-server.js';

const AUTHOR = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];

/** Whether git is installed, including its HTTP backend. */
export const hasGit = (() => {
  try {
    return execFileSync('git', ['--exec-path'], { stdio: 'pipe' }).length > 0;
  } catch {
    return false;
  }
})();

/** A bare repository that git itself serves over HTTP. */
export class GitServer extends LocalServer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'git-'));

  static start(): Promise<GitServer> {
    const git = new GitServer();
    execFileSync('git', ['init', '-q', '-b', 'main', git.workFolder]);
    git.commit('begin', ['--allow-empty']);
    execFileSync('git', ['clone', '-q', '--bare', git.workFolder, git.bare]);
    return git.listen();
  }

  override get url(): string {
    return `${this.origin}/repository.git`;
  }

  override async stop(): Promise<void> {
    await super.stop();
    rmSync(this.folder, { recursive: true });
  }

  /** Changes files, then commits and pushes them. */
  push(files: Readonly<Record<string, string | null>>): void {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.workFolder, path);
      mkdirSync(dirname(file), { recursive: true });
      if (content === null) rmSync(file);
      else writeFileSync(file, content);
    }
    this.git('add', '-A');
    this.commit('change');
    this.publish();
  }

  publish(): void {
    this.git('push', '-q', this.bare, 'HEAD');
  }

  /** Runs git in the working folder. */
  git(...args: string[]): string {
    return this.gitWith('', ...args);
  }

  /** @param input what git reads */
  gitWith(input: string, ...args: string[]): string {
    const options = { cwd: this.workFolder, input, encoding: 'utf8' } as const;
    return execFileSync('git', [...AUTHOR, ...args], options);
  }

  get workFolder(): string {
    return join(this.folder, 'work');
  }

  private get bare(): string {
    return join(this.folder, 'repository.git');
  }

  private commit(message: string, more: string[] = []): void {
    this.git('commit', '-q', '-m', message, ...more);
  }

  protected answer(
    request: IncomingMessage,
    response: ServerResponse,
    { pathname, searchParams }: URL,
  ): void {
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: this.folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: searchParams.toString(),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'],
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    });
    request.pipe(backend.stdin);
    const parts: Buffer[] = [];
    backend.stdout.on('data', (part: Buffer) => parts.push(part));
    backend.stdout.on('end', () => {
      const output = Buffer.concat(parts);
      const end = output.indexOf('\r\n\r\n');
      const headers = output.subarray(0, end).toString().split('\r\n').map(toHeader);
      const status = Number.parseInt(new Map(headers).get('Status') ?? '200');
      response.writeHead(status, Object.fromEntries(headers)).end(output.subarray(end + 4));
    });
  }
}

function toHeader(line: string): [string, string] {
  const [name = '', value = ''] = line.split(': ', 2);
  return [name, value];
}
