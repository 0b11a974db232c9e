import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.{ts,tsx}"],
    exclude: ["tests/journeys/**", "tests/long/**", "node_modules/**"],
    setupFiles: ["tests/kit/setup.ts"],
    // Two cores: more workers only wait for each other.
    maxWorkers: 2,
    // Far above what any of them takes: a slow machine is no fault, a test that never ends is one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
