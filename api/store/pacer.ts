import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that runs longer than this without a break delays other requests noticeably. */
const TURN_MS = 5;

/** Divides long work on the event loop into turns, between which other requests run. */
export class Pacer {
  #turnStartedAt = performance.now();

  /** Whether the turn is over. Check this before `nextTurn`, because thousands of needless awaits take time too. */
  isOver(): boolean {
    return performance.now() - this.#turnStartedAt > TURN_MS;
  }

  async nextTurn(): Promise<void> {
    await nextTurn();
    this.#turnStartedAt = performance.now();
  }
}
