import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/journeys/**/*.test.ts"],
    // A journey's browser and server often wait for each other, so three at a time use two cores fully.
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 150_000,
    // The same as the timeout for waiting for a text, because everything takes longer beside another journey.
    expect: { poll: { timeout: 30_000 } },
  },
});
