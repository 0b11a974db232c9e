import { listen } from "#extension/app/channel.ts";
import { nextTask } from "#extension/app/tasks.ts";

/** So long after the last sign of a gesture nothing heavy begins: gestures come in rows. */
const QUIET_MS = 400;

let lastSignAt = Number.NEGATIVE_INFINITY;
const note = () => {
  lastSignAt = performance.now();
};

/** Hears from now on when a gesture begins, and when what it took is on disk. */
export function watchGestures(): void {
  listen("gesture", note);
  listen("work", note);
}

const untilThen = () => lastSignAt + QUIET_MS - performance.now();

/** Resolves in a task of its own, once no gesture came for a moment: whoever does much begins each step with it. */
export async function untilQuiet(): Promise<void> {
  await nextTask();
  for (let left = untilThen(); left > 0; left = untilThen()) await new Promise((done) => setTimeout(done, left));
}
