import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/journeys/**/*.test.ts"],
    // A browser and a server each: one journey at a time is as much as two cores give.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
