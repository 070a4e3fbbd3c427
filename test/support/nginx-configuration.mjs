import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Debian keeps it where only root looks; undefined where it is not installed. */
export const NGINX = ['nginx', '/usr/sbin/nginx'].find((path) => !spawnSync(path, ['-v']).error);

/**
 * @typedef {object} Addresses where nginx and what is behind it listen, as `host:port`
 * @property {string} listen
 * @property {string[]} latchkey of each host
 * @property {string} signIn
 */

/**
 * Makes a directory in which nginx finds deploy/nginx.conf as it is deployed.
 *
 * @param {string} directory
 * @param {Addresses} addresses
 * @param {string} secret of the gateway
 * @param {string} [more] for the http block
 * @returns {string[]} the command, which stays in the foreground
 */
export function configureNginx(directory, addresses, secret, more = '') {
  if (NGINX === undefined) throw new Error('nginx is not installed');
  /**
   * @param {string} name
   * @param {string} text
   */
  const write = (name, text) => {
    writeFileSync(join(directory, name), text);
  };
  // Alone, as it is deployed.
  cpSync('examples/dashboard', join(directory, 'dashboard'), { recursive: true });
  write('latchkey.conf', deployed(addresses, directory));
  write('latchkey-gateway-secret.conf', `proxy_set_header X-Gateway-Secret "${secret}";\n`);
  write('nginx.conf', surroundings(more));
  mkdirSync(join(directory, 'temp'));
  return [NGINX, '-p', directory, '-c', join(directory, 'nginx.conf')];
}

/**
 * The committed file, with other addresses.
 *
 * @param {Addresses} addresses
 * @param {string} directory
 */
function deployed({ listen, latchkey, signIn }, directory) {
  const host = 'server 127.0.0.1:3000';
  const replacements = {
    'listen 8080;': `listen ${listen};`,
    'server 127.0.0.1:4180;': `server ${signIn};`,
    'alias /srv/latchkey/dashboard/;': `alias ${directory}/dashboard/;`,
  };
  let text = readFileSync('deploy/nginx.conf', 'utf8');
  const line = text.split('\n').find((each) => each.includes(host)) ?? host;
  const lines = latchkey.map((address) => line.replace(host, `server ${address}`)).join('\n');
  for (const [from, to] of Object.entries({ ...replacements, [line]: lines })) {
    if (text.split(from).length !== 2) throw new Error(`deploy/nginx.conf has no one "${from}"`);
    text = text.replace(from, to);
  }
  return text;
}

/**
 * What Debian's own nginx.conf is around the file; in one directory, and in the foreground.
 *
 * @param {string} more
 */
const surroundings = (more) => `
daemon off;
user root;
worker_processes 1;
pid pid;
error_log log info;
events { worker_connections 256; }
http {
  types {
    text/html html;
    text/css css;
    text/javascript js;
  }
  access_log log;
  client_body_temp_path temp/body;
  proxy_temp_path temp/proxy;
  fastcgi_temp_path temp/fastcgi;
  uwsgi_temp_path temp/uwsgi;
  scgi_temp_path temp/scgi;
  include latchkey.conf;
  ${more}
}
`;
