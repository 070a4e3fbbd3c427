import { setServers } from 'node:dns';
import { Socket } from 'node:net';

const given = new URL(import.meta.url).searchParams;

/** Loaded into a service, and its processes, with `--import`: has them ask the name server of the query. */
setServers([String(given.get('server'))]);

/** Where this address is public, connections to it lead to this machine, after all checks of the service. */
const routed = given.get('routed');
const connect = Socket.prototype.connect;
/** @type {(address: unknown) => unknown} */
const route = (address) => (address === routed ? '127.0.0.1' : address);

/** @type {(this: Socket, ...args: any[]) => Socket} */
Socket.prototype.connect = function (...args) {
  const [options] = args.flat();
  if (typeof options?.lookup === 'function') {
    const { lookup } = options;
    options.lookup = (
      /** @type {unknown} */ name,
      /** @type {unknown} */ how,
      /** @type {any} */ callback,
    ) =>
      lookup(
        name,
        how,
        (/** @type {unknown} */ error, /** @type {any} */ found, /** @type {unknown} */ family) =>
          callback(
            error,
            Array.isArray(found)
              ? found.map((one) => ({ ...one, address: route(one.address) }))
              : route(found),
            family,
          ),
      );
  }
  return Reflect.apply(connect, this, args);
};
