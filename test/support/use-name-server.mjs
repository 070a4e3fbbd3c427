import { setServers } from 'node:dns';

/** Loaded into a service with `--import`: has it ask the name server that NAME_SERVER names. */
setServers([String(process.env['NAME_SERVER'])]);
