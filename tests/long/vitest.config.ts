import { defineConfig } from "vitest/config";

/** What takes a minute each: longer journeys, and servers that are killed. The others are run by `npm test`. */
export default defineConfig({
  test: {
    include: ["tests/long/**/*.test.ts"],
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    // As long as a student waits for a text: beside another journey everything takes longer.
    expect: { poll: { timeout: 30_000 } },
  },
});
