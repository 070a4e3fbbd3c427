import { setServers } from 'node:dns';
import { Socket } from 'node:net';

/** Loaded into a service with `--import`: has it ask the name server that NAME_SERVER names. */
setServers([String(process.env['NAME_SERVER'])]);

/** Where ROUTED_ADDRESS is public, connections to it lead to this machine, after all checks of the service. */
const routed = process.env['ROUTED_ADDRESS'];
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
