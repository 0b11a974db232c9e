import { listen } from "#extension/app/channel.ts";
import { nextTask } from "#extension/app/tasks.ts";

/** Debounce: heavy work starts 400 ms after the last user gesture. */
const QUIET_MS = 400;

let lastSignAt = Number.NEGATIVE_INFINITY;
const note = () => {
  lastSignAt = performance.now();
};

/** Starts watching for gestures and for stored captures. */
export function watchGestures(): void {
  listen("gesture", note);
  listen("work", note);
}

const untilThen = () => lastSignAt + QUIET_MS - performance.now();

/** Resolves in a new task once no gesture is being handled; heavy code awaits it before each step. */
export async function untilQuiet(): Promise<void> {
  await nextTask();
  for (let left = untilThen(); left > 0; left = untilThen()) await new Promise((done) => setTimeout(done, left));
}
