import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {import('node:child_process').SpawnOptions} SpawnOptions
 */

/** An address that belongs to no machine in particular, such as that of the current primary. */
export const FLOATING_ADDRESS = '10.201.0.100';

/** Whether this process may make network namespaces: it is root, and iproute2 is installed. */
export const hasNamespaces =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--net', 'ip', 'link', 'add', 'bridge', 'type', 'bridge']).status === 0;

let networks = 0;

/**
 * Machines as network namespaces, which a switch of their own connects. Servers in them listen on
 * their machine's address, not on loopback: nothing outside of this network reaches it. The network of
 * the computer itself stays as it is.
 */
export class Network {
  /** @type {Map<string, string>} */
  #addresses = new Map();
  /** @type {string} */
  #prefix;
  /** @type {ChildProcess} */
  #cleaner;
  /** Of all machines, removed with the network; readable for PostgreSQL, which does not run as root. */
  directory;

  /** @param {string[]} machines */
  constructor(machines) {
    this.#prefix = `latchkey-${process.pid}-${networks++}`;
    this.directory = mkdtempSync(join(tmpdir(), 'latchkey-hosts-'));
    chmodSync(this.directory, 0o755);
    machines.forEach((machine, index) => this.#addresses.set(machine, `10.201.0.${index + 1}`));
    this.#cleaner = this.#startCleaner(machines);
    const wire = machines.map((machine) => this.#wiring(machine)).join('\n');
    run(`set -e
ip netns add ${this.#prefix}-switch
ip -n ${this.#prefix}-switch link add bridge type bridge
ip -n ${this.#prefix}-switch link set bridge up
${wire}`);
  }

  /** @param {string} machine */
  address(machine) {
    const address = this.#addresses.get(machine);
    if (address === undefined) throw new Error(`There is no machine ${machine}`);
    return address;
  }

  /** @param {string | undefined} address */
  machineAt(address) {
    return [...this.#addresses].find(([, its]) => its === address)?.[0];
  }

  /**
   * Starts a program on a machine; the process is the program itself.
   *
   * @param {string} machine
   * @param {string[]} command
   * @param {SpawnOptions} options
   * @returns {ChildProcess}
   */
  spawn(machine, [command = '', ...args], options) {
    const inside = ['netns', 'exec', this.#namespace(machine), command, ...args];
    return spawn('ip', inside, options);
  }

  /**
   * A machine drops what another one sends it, as a firewall does, without an answer.
   *
   * @param {string} machine
   * @param {string} other
   */
  block(machine, other) {
    this.#ip(machine, `route add blackhole ${this.address(other)}/32`);
  }

  /**
   * @param {string} machine
   * @param {string} other
   */
  unblock(machine, other) {
    this.#ip(machine, `route del blackhole ${this.address(other)}/32`);
  }

  /**
   * As when the power fails: nothing is sent any more, and no connection is closed.
   *
   * @param {string} machine
   */
  powerOff(machine) {
    this.#ip(machine, 'link set eth0 down');
    const pids = `ip netns pids ${this.#namespace(machine)}`;
    // A process may end because another one does, before it is killed itself.
    run(`${pids} | xargs -r kill -9 2>/dev/null
      for attempt in $(seq 100); do test -z "$(${pids})" && exit; sleep 0.1; done; exit 1`);
  }

  /**
   * Gives a machine the floating address. The others forget whose it was, as they do when the machine
   * announces it (gratuitous ARP), which tools for fail-over see to.
   *
   * @param {string} machine
   */
  takeFloatingAddress(machine) {
    this.#ip(machine, `addr add ${FLOATING_ADDRESS}/24 dev eth0`);
    for (const other of this.#addresses.keys()) {
      this.#ip(other, `neigh flush to ${FLOATING_ADDRESS}`);
    }
  }

  /** Ends all that runs in it, and removes it with its directory. */
  async remove() {
    if (this.#cleaner.exitCode !== null) return;
    this.#cleaner.stdin?.end();
    await once(this.#cleaner, 'close');
  }

  /** @param {string} machine */
  #namespace(machine) {
    return `${this.#prefix}-${machine}`;
  }

  /**
   * @param {string} machine
   * @param {string} command
   */
  #ip(machine, command) {
    execFileSync('ip', ['-n', this.#namespace(machine), ...command.split(' ')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  /** @param {string} machine */
  #wiring(machine) {
    const namespace = this.#namespace(machine);
    const port = `to-${machine}`;
    return `ip netns add ${namespace}
ip -n ${namespace} link set lo up
ip -n ${this.#prefix}-switch link add ${port} type veth peer name eth0 netns ${namespace}
ip -n ${this.#prefix}-switch link set ${port} master bridge up
ip -n ${namespace} addr add ${this.address(machine)}/24 dev eth0
ip -n ${namespace} link set eth0 up`;
  }

  /**
   * A process that waits until this one closes its input, or has died, and then removes everything: so
   * nothing is left behind however a test ends.
   *
   * @param {string[]} machines
   */
  #startCleaner(machines) {
    const namespaces = [...machines, 'switch'].map((machine) => this.#namespace(machine));
    const script = `cat > /dev/null
for namespace in ${namespaces.join(' ')}; do
  ip netns pids $namespace | xargs -r kill -9
  ip netns del $namespace
done
rm -rf ${this.directory}`;
    return spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  }
}

/** @param {string} script */
function run(script) {
  execFileSync('sh', ['-c', script], { stdio: ['ignore', 'ignore', 'pipe'] });
}
