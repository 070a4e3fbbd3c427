/**
 * Tells the benchmark that this server listens, answers its questions, and ends with it.
 *
 * @param {number} port
 * @param {Record<string, unknown>} facts what else the benchmark needs to know at the start
 * @param {() => Record<string, unknown>} counts what is counted besides processor time
 */
export function served(port, facts = {}, counts = () => ({})) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system, ...counts() });
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ port, ...facts });
}
