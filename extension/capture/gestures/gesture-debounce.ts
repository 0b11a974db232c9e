import { listen } from "#extension/app/channel.ts";
import { nextTask } from "#extension/app/tasks.ts";

/** Debounce: heavy work starts 400 ms after the last user gesture. */
const DEBOUNCE_MS = 400;

let lastGestureAt = Number.NEGATIVE_INFINITY;
const recordGesture = () => {
  lastGestureAt = performance.now();
};

/** Starts watching for gestures and for stored captures. */
export function watchGestures(): void {
  listen("gesture", recordGesture);
  listen("work", recordGesture);
}

const remainingMs = () => lastGestureAt + DEBOUNCE_MS - performance.now();

/** Resolves in a new task once no gesture is being handled; heavy code awaits it before each step. */
export async function waitUntilIdle(): Promise<void> {
  await nextTask();
  for (let waitMs = remainingMs(); waitMs > 0; waitMs = remainingMs())
    await new Promise((done) => setTimeout(done, waitMs));
}
