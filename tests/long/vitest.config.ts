import { defineConfig } from "vitest/config";

/** What takes a minute each: longer journeys, and servers that are killed. The others are run by `npm test`. */
export default defineConfig({
  test: {
    include: ["tests/long/**/*.test.ts"],
    maxWorkers: 2,
    // Two browsers and two servers on two cores: what failed for want of time alone is told apart by a second try.
    retry: 1,
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
