import { once } from 'node:events';
import { mkdirSync, openSync, closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { START_ENVIRONMENT } from '../launch.mjs';
import { configureNginx } from '../nginx-configuration.mjs';
import { Network } from './network.mjs';
import { PostgresPair } from './postgres-pair.mjs';
import { Ways } from './ways.mjs';

const HOSTS = ['host-1', 'host-2', 'host-3'];
const SERVICE_PORT = 3000;
const BALANCER_PORT = 8080;
const REDIS_PORT = 6379;
const READY_TIMEOUT_MS = 60_000;

export const GATEWAY_SECRET = 'gateway-secret-0123456789-abcdefghijkl';

/** Stands for the sign-in service: the cookie says who it is. */
const SIGN_IN = `server {
    listen 127.0.0.1:4180;
    location / {
      if ($cookie_session = "") { return 401; }
      add_header X-Auth-Request-User $cookie_session always;
      return 202;
    }
  }`;

/**
 * The service on three hosts behind nginx with deploy/nginx.conf, with Redis, PostgreSQL and its
 * standby, each on a machine of its own.
 */
export class Deployment {
  network = new Network([...HOSTS, 'balancer', 'redis', 'primary', 'standby', 'clients']);
  #ways = new Ways(this.network, 'clients');
  postgres = new PostgresPair(this.network, this.#ways);
  /** @type {Host[]} */
  hosts = [];
  #nextPort = 5000;
  /** Of the load balancer, on loopback here. */
  url = '';

  /**
   * Starts all but the service.
   *
   * @param {NodeJS.ProcessEnv} environment of the service
   */
  static async start(environment = {}) {
    const deployment = new Deployment();
    try {
      await deployment.#start(environment);
    } catch (error) {
      await deployment.remove();
      throw error;
    }
    return deployment;
  }

  /** @param {NodeJS.ProcessEnv} environment */
  async #start(environment) {
    const { network } = this;
    await this.postgres.start('primary', 'standby');
    const address = network.address('redis');
    const keepsNothing = ['--save', '', '--appendonly', 'no', '--protected-mode', 'no'];
    network.spawn('redis', ['redis-server', '--bind', address, ...keepsNothing], {
      stdio: 'ignore',
    });
    const listen = `${network.address('balancer')}:${BALANCER_PORT}`;
    const latchkey = HOSTS.map((host) => `${network.address(host)}:${SERVICE_PORT}`);
    const directory = join(network.directory, 'nginx');
    mkdirSync(directory);
    const signIn = '127.0.0.1:4180';
    const nginx = configureNginx(directory, { listen, latchkey, signIn }, GATEWAY_SECRET, SIGN_IN);
    network.spawn('balancer', nginx, { stdio: 'ignore' });
    this.url = await this.#wayTo('balancer', BALANCER_PORT);
    for (const machine of HOSTS) {
      const url = await this.#wayTo(machine, SERVICE_PORT);
      this.hosts.push(
        new Host(network, machine, url, {
          DATABASE_URL: this.postgres.url('postgres'),
          REDIS_URL: `redis://${address}:${REDIS_PORT}`,
          DASHBOARD_AUTH_MODE: 'gateway',
          GATEWAY_SECRETS: GATEWAY_SECRET,
          TRUSTED_PROXY_CIDRS: ['balancer', 'clients'].map((it) => network.address(it)).join(),
          // The same on all hosts, as is required.
          API_KEY_PEPPERS: `tests:${Buffer.alloc(32, 'pepper').toString('base64')}`,
          ...environment,
        }),
      );
    }
  }

  /**
   * Starts the service on all hosts.
   */
  async startHosts() {
    const [first, ...others] = this.hosts;
    // It migrates.
    await first?.start();
    await Promise.all(others.map((host) => host.start()));
  }

  /**
   * Gives a server of this process what the hosts send to a URL.
   *
   * @param {import('node:net').Server} server
   * @returns {Promise<string>} the URL
   */
  async expose(server) {
    const port = this.#nextPort++;
    await this.#ways.from(server, port);
    return `http://${this.network.address('clients')}:${port}`;
  }

  /** @param {string | undefined} address */
  hostAt(address) {
    const machine = this.network.machineAt(address?.replace('::ffff:', ''));
    const host = this.hosts.find((each) => each.machine === machine);
    if (!host) throw new Error(`${address} is no host`);
    return host;
  }

  /** Ends and removes everything, also what was frozen or cut off. */
  async remove() {
    this.#ways.stop();
    await this.network.remove();
  }

  /**
   * @param {string} machine
   * @param {number} port
   */
  async #wayTo(machine, port) {
    return `http://127.0.0.1:${await this.#ways.to(this.network.address(machine), port)}`;
  }
}

/** A machine with one process of the service. */
export class Host {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;
  #network;
  #logFile;

  /**
   * @param {Network} network
   * @param {string} machine
   * @param {string} url on loopback here
   * @param {NodeJS.ProcessEnv} environment
   */
  constructor(network, machine, url, environment) {
    this.#network = network;
    this.machine = machine;
    this.url = url;
    this.environment = {
      HOST: network.address(machine),
      PORT: String(SERVICE_PORT),
      DATA_DIR: join(network.directory, machine),
      ...environment,
    };
    this.#logFile = join(network.directory, `${machine}.log`);
  }

  get pid() {
    return Number(this.#process?.pid);
  }

  /** Of all its processes so far. */
  get logs() {
    return readFileSync(this.#logFile, 'utf8');
  }

  /** Starts the service and waits until it is ready. */
  async start() {
    const log = openSync(this.#logFile, 'a');
    this.#process = this.#network.spawn(
      this.machine,
      [process.execPath, '--max-semi-space-size=4', 'dist/service/main.js'],
      {
        env: { ...START_ENVIRONMENT, ...this.environment },
        stdio: ['ignore', log, log],
      },
    );
    closeSync(log);
    await this.untilReady();
  }

  async untilReady() {
    const began = performance.now();
    while (!(await this.#isReady())) {
      const hasEnded = this.#process?.exitCode !== null;
      if (hasEnded || performance.now() - began > READY_TIMEOUT_MS) {
        throw new Error(`${this.machine} is not ready:\n${this.logs}`);
      }
      await pause(50);
    }
  }

  /** Ends it as an operator would; gives its exit code. */
  stop() {
    return this.#end('SIGTERM');
  }

  /** Ends it as a crash would. */
  kill() {
    return this.#end('SIGKILL');
  }

  freeze() {
    this.#process?.kill('SIGSTOP');
  }

  thaw() {
    this.#process?.kill('SIGCONT');
  }

  cutOffFromDatabase() {
    this.#network.block('primary', this.machine);
  }

  rejoinDatabase() {
    this.#network.unblock('primary', this.machine);
  }

  async #isReady() {
    const signal = AbortSignal.timeout(5000);
    const response = await fetch(`${this.url}/health/ready`, { signal }).catch(() => undefined);
    return response?.ok === true;
  }

  /** @param {NodeJS.Signals} signal */
  async #end(signal) {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    return child.exitCode;
  }
}
