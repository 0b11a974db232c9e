import { PREVIEW_IDLE_MS } from "#shared/website/chat-timing.ts";
import type { Deps } from "#api/http/handler.ts";
import { runRepeatedly } from "#api/jobs/repeated-task.ts";

const INTERVAL_MS = 60_000;

/** Stops previews that nobody has looked at for `PREVIEW_IDLE_MS`; returns a function that ends the sweep. */
export const startPreviewSweep = ({ previews, clock, log }: Deps): (() => void) =>
  runRepeatedly({
    intervalMs: INTERVAL_MS,
    log,
    failureMessage: "could not stop idle previews",
    work: async () => previews.stopIdle(clock.now() - PREVIEW_IDLE_MS),
  });
