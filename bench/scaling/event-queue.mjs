/**
 * What happens when: a binary heap, the earliest first.
 *
 * @template T
 */
export class EventQueue {
  /** @type {{ time: number, event: T }[]} */
  #heap = [];

  get size() {
    return this.#heap.length;
  }

  /**
   * @param {number} time
   * @param {T} event
   */
  add(time, event) {
    const heap = this.#heap;
    const entry = { time, event };
    let place = heap.push(entry) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.time <= time) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = entry;
  }

  /** @returns {{ time: number, event: T } | undefined} */
  next() {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      const isRight = left !== undefined && right !== undefined && right.time < left.time;
      const earlier = isRight ? right : left;
      if (earlier === undefined || earlier.time >= last.time) break;
      heap[place] = earlier;
      place = 2 * place + (isRight ? 2 : 1);
    }
    heap[place] = last;
    return first;
  }
}
