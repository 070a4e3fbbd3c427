import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers from a bare repository what Gitea's API answers about it. */
export class GiteaServer {
  private constructor(private readonly server: Server) {}

  static async start(repository: string): Promise<GiteaServer> {
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args]);
    const answer = (path: string): unknown => {
      const commit = git('rev-parse', 'main').toString().trim();
      if (path === '') return { empty: false, default_branch: 'main' };
      if (path === '/branches/main') return { commit: { id: commit } };
      if (path.startsWith('/raw/')) {
        return git('show', `${commit}:${decodeURIComponent(path.slice('/raw/'.length))}`);
      }
      const lines = git('ls-tree', '-r', '-l', '-z', commit).toString().split('\0').filter(Boolean);
      const tree = lines.map((line) => {
        const [facts = '', name] = line.split('\t');
        const [mode, type, sha, size] = facts.split(/ +/);
        return { path: name, mode, type, sha, size: Number(size) };
      });
      return { sha: commit, page: 1, total_count: tree.length, truncated: false, tree };
    };
    const server = createServer(({ url = '' }, response) => {
      const path = url.replace(/\?.*$/, '').replace('/api/v1/repos/acme/handbook', '');
      const body = answer(path);
      response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new GiteaServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
