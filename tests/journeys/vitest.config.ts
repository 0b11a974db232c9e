import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/journeys/**/*.test.ts"],
    // A browser and a server each, which often wait for each other: two at a time is as much as two cores give.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // As long as a student waits for a text: beside another journey everything takes longer.
    expect: { poll: { timeout: 30_000 } },
  },
});
