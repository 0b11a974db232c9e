import { defineConfig } from "vitest/config";

/** The journeys that `npm test` leaves out to stay short, servers that are killed, and other tests of about a minute. */
export default defineConfig({
  test: {
    include: ["tests/long/**/*.test.ts"],
    // The same as for the other journeys: two cores, and each test often waits.
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 150_000,
    // The same as the timeout for waiting for a text, because everything takes longer beside another journey.
    expect: { poll: { timeout: 30_000 } },
  },
});
