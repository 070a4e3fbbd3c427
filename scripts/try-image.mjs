// Builds and tries the image without a container engine: runs each step of the Dockerfile in a
// folder that takes the place of the image's file system, and makes its root read-only. Then starts
// the service as the image's user, runs the health check, uses the service and stops it. Needs root
// and Linux: it mounts in a namespace of its own, and the mounts end with it.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  chmodSync,
  chownSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, posix } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readCommand, readDockerfile, readVariables } from './dockerfile.mjs';
import { environmentOf, inStage, makeBase, mount } from './image-stage.mjs';

const HEALTHY_WITHIN_MS = 300_000;
const GATEWAY_SECRET = randomBytes(48).toString('base64');

/** @typedef {{ root: string, folder: string, user: string, variables: Record<string, string> }} Stage */

const [, , given] = process.argv;
if (given === undefined) runInNamespace();
else await tryImage(given);

function runInNamespace() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-image-'));
  const unshare = [
    '--mount',
    '--propagation',
    'private',
    process.execPath,
    ...process.argv.slice(1),
  ];
  const { status } = spawnSync('unshare', [...unshare, folder], { stdio: 'inherit' });
  // Removing the folder would empty what is mounted in it.
  if (readFileSync('/proc/self/mountinfo', 'utf8').includes(folder)) {
    throw new Error(`There are mounts left in ${folder}`);
  }
  rmSync(folder, { recursive: true, force: true });
  process.exit(status ?? 1);
}

/** @param {string} folder */
async function tryImage(folder) {
  const image = build(folder);
  const { stage, volumes } = image;
  // With what is mounted in it, such as /usr.
  mount('--rbind', stage.root, stage.root);
  mount('-o', 'remount,ro,bind', stage.root);
  for (const volume of volumes) mountVolume(stage.root, volume, join(folder, 'volume'));
  mount('-t', 'tmpfs', 'tmpfs', join(stage.root, 'tmp'));
  say('read-only root, volumes', ...volumes);
  await use(image);
}

/**
 * @param {string} folder
 */
function build(folder) {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
  /** @type {Map<string, Stage>} */
  const stages = new Map();
  /** @type {Stage} */
  let stage = { root: '', folder: '/', user: 'root', variables: {} };
  const volumes = [];
  let command;
  let health;
  for (const { name, text } of readDockerfile(readFileSync('Dockerfile', 'utf8'))) {
    say(name, text);
    switch (name) {
      case 'FROM': {
        const [, major, , alias] = /^node:(\d+)\S*( AS (\w+))?$/.exec(text) ?? [];
        if (major !== process.versions.node.split('.')[0]) {
          throw new Error(`This is Node.js ${process.versions.node}, not the one of ${text}`);
        }
        const root = join(folder, alias ?? `stage-${stages.size}`);
        makeBase(root);
        stage = { root, folder: '/', user: 'root', variables: {} };
        stages.set(alias ?? root, stage);
        break;
      }
      case 'WORKDIR':
        stage.folder = text;
        mkdirSync(join(stage.root, text), { recursive: true });
        break;
      case 'COPY':
        copy(stage, text, stages, ignored);
        break;
      case 'RUN':
        execFileSync('chroot', inStage(stage, ['/bin/sh', '-c', text]), {
          env: environmentOf(stage.variables),
          stdio: 'inherit',
        });
        break;
      case 'ENV':
        Object.assign(stage.variables, readVariables(text));
        break;
      case 'USER':
        stage.user = text;
        break;
      case 'VOLUME':
        volumes.push(text);
        break;
      case 'EXPOSE':
        if (text !== stage.variables.PORT) throw new Error(`EXPOSE ${text} is not PORT`);
        break;
      case 'HEALTHCHECK':
        health = readCommand(text.slice(text.indexOf('CMD ') + 'CMD '.length));
        break;
      case 'CMD':
        command = readCommand(text);
        break;
      default:
        throw new Error(`scripts/try-image.mjs does not support ${name}`);
    }
  }
  if (!command || !health || stage.user === 'root') {
    throw new Error('The image needs CMD, HEALTHCHECK and a user other than root');
  }
  return { stage, volumes, command, health };
}

/**
 * @param {Stage} stage
 * @param {string} text
 * @param {Map<string, Stage>} stages
 * @param {string[]} ignored
 */
function copy(stage, text, stages, ignored) {
  const words = text.split(/\s+/);
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  const target = join(stage.root, posix.resolve(stage.folder, words.pop() ?? ''));
  const source = from === undefined ? '.' : stages.get(from)?.root;
  if (source === undefined) throw new Error(`There is no stage ${from}`);
  for (const path of words) {
    if (from === undefined && !ignored.includes(`!${path}`)) {
      throw new Error(`.dockerignore excludes ${path}`);
    }
    const isFolder = statSync(join(source, path)).isDirectory();
    mkdirSync(target, { recursive: true });
    // COPY copies the contents of a folder, not the folder itself.
    execFileSync('cp', ['-a', `${join(source, path)}${isFolder ? '/.' : ''}`, target]);
  }
  execFileSync('chown', ['-R', 'root:root', target]);
}

/**
 * Mounts an empty volume with the owner and mode of the image's folder, as container engines do.
 *
 * @param {string} root
 * @param {string} path
 * @param {string} volume
 */
function mountVolume(root, path, volume) {
  const { uid, gid, mode } = statSync(join(root, path));
  mkdirSync(join(volume, basename(path)), { recursive: true });
  chmodSync(join(volume, basename(path)), mode);
  chownSync(join(volume, basename(path)), uid, gid);
  mount('--bind', join(volume, basename(path)), join(root, path));
}

/** @param {ReturnType<typeof build>} image */
async function use({ stage, command, health }) {
  const port = await freePort();
  const env = environmentOf({
    ...stage.variables,
    // The image has 0.0.0.0, at which other machines could reach the service.
    HOST: '127.0.0.1',
    PORT: String(port),
    DASHBOARD_AUTH_MODE: 'gateway',
    GATEWAY_SECRETS: GATEWAY_SECRET,
    TRUSTED_PROXY_CIDRS: '127.0.0.1/32',
    API_KEY_PEPPERS: `trial:${randomBytes(32).toString('base64')}`,
  });
  const run = (/** @type {string[]} */ words) =>
    spawnSync('chroot', inStage(stage, words), { env }).status === 0;
  expect(run(['true']), `${stage.user} can run programs`);
  for (const path of ['/app/dist/file', '/app/file', '/etc/file', '/usr/file']) {
    expect(!run(['touch', path]), `${stage.user} cannot write ${path}`);
  }
  expect(run(['touch', '/data/file']), `${stage.user} can write the volume`);

  const service = spawn('chroot', inStage(stage, command), { env, stdio: 'inherit' });
  const ended = once(service, 'exit');
  try {
    const deadline = Date.now() + HEALTHY_WITHIN_MS;
    while (!run(health)) {
      if (service.exitCode !== null || Date.now() > deadline)
        throw new Error('The health check does not pass');
      await pause(250);
    }
    say('healthy');
    const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
    expect(!/^Uid:.*\b0\b/m.test(status), 'it does not run as root');
    const created = await globalThis.fetch(`http://127.0.0.1:${port}/api/v1/kbs`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gateway-secret': GATEWAY_SECRET,
        'x-idp-user-id': 'alice',
      },
      body: JSON.stringify({ name: 'Handbook' }),
    });
    expect(created.status === 201, 'a knowledge base can be created');
    service.kill('SIGTERM');
    const [code] = await ended;
    expect(code === 0, 'it stops with 0 after SIGTERM');
  } finally {
    service.kill('SIGKILL');
  }
  say('The image works.');
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * @param {boolean} holds
 * @param {string} what
 */
function expect(holds, what) {
  if (!holds) throw new Error(`Not true: ${what}`);
  say(what);
}

/** @param {string[]} words */
function say(...words) {
  console.log(`--- ${words.join(' ')}`);
}
