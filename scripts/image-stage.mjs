import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The base image has the user `node` besides root. */
const USERS = 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n';
const GROUPS = 'root:x:0:\nnode:x:1000:\n';
const PATHS = '/opt/node/bin:/usr/sbin:/usr/bin';
/** The variables by which npm reaches its registry. */
const NPM_VARIABLES = /^(https?_proxy|no_proxy|npm_config_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i;

/** @param {string[]} args */
export const mount = (...args) => void execFileSync('mount', args, { stdio: 'inherit' });

/**
 * Makes a folder that takes the place of a base image's file system: with this machine's /usr,
 * read-only, and the Node.js that runs this script, with npm.
 *
 * @param {string} root
 */
export function makeBase(root) {
  for (const folder of ['usr', 'dev', 'proc', 'etc', 'root/.npm', 'home/node', 'opt/node/bin']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  mkdirSync(join(root, 'tmp'), { mode: 0o1777 });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    if (existsSync(`/usr/${name}`)) symlinkSync(`usr/${name}`, join(root, name));
  }
  bind('/usr', join(root, 'usr'));
  mount('--rbind', '/dev', join(root, 'dev'));
  mount('--rbind', '/proc', join(root, 'proc'));
  writeFileSync(join(root, 'etc/passwd'), USERS);
  writeFileSync(join(root, 'etc/group'), GROUPS);
  for (const file of ['resolv.conf', 'hosts', 'nsswitch.conf']) {
    if (existsSync(`/etc/${file}`)) copyFileSync(`/etc/${file}`, join(root, 'etc', file));
  }
  if (existsSync('/etc/ssl')) {
    mkdirSync(join(root, 'etc/ssl'));
    bind('/etc/ssl', join(root, 'etc/ssl'));
  }
  addNode(root);
}

/** @param {string} root */
function addNode(root) {
  copyFileSync(process.execPath, join(root, 'opt/node/bin/node'));
  const npm = resolve(dirname(process.env.npm_execpath ?? ''), '..');
  mkdirSync(join(root, 'opt/node/npm'));
  bind(npm, join(root, 'opt/node/npm'));
  for (const name of ['npm', 'npx']) {
    const script = `#!/bin/sh\nexec node /opt/node/npm/bin/${name}-cli.js "$@"\n`;
    writeFileSync(join(root, `opt/node/bin/${name}`), script, { mode: 0o755 });
  }
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm');
  if (existsSync(cache)) mount('--bind', cache, join(root, 'root/.npm'));
  const settings = join(homedir(), '.npmrc');
  if (existsSync(settings)) copyFileSync(settings, join(root, 'root/.npmrc'));
}

/**
 * @param {string} source
 * @param {string} target
 */
function bind(source, target) {
  mount('--bind', source, target);
  mount('-o', 'remount,ro,bind', target);
}

/**
 * The arguments of `chroot` that run `command` in the stage. `exec` replaces the shell, so that the
 * command gets the signals.
 *
 * @param {{ root: string, folder: string, user: string }} stage
 * @param {string[]} command
 */
export const inStage = ({ root, folder, user }, command) => [
  `--userspec=${user}:${user}`,
  root,
  ...['/bin/sh', '-c', 'cd "$0" && exec "$@"', folder],
  ...command,
];

/** @param {Record<string, string>} variables of the image */
export const environmentOf = (variables) => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        NPM_VARIABLES.test(name) && !/_(cache|prefix|userconfig|globalconfig)$/i.test(name),
    ),
  ),
  npm_config_cache: '/root/.npm',
  HOME: '/root',
  PATH: PATHS,
  ...variables,
});
