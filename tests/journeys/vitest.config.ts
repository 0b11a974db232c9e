import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/journeys/**/*.test.ts"],
    // Each journey has a browser and a server, which often wait for each other, so two at a time use two cores fully.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // The same as the timeout for waiting for a text, because everything takes longer beside another journey.
    expect: { poll: { timeout: 30_000 } },
  },
});
