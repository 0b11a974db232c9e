import { defineConfig } from "vitest/config";

export default defineConfig({
  // The panel's driver uses `expect.poll`, which works only inside a test.
  test: { include: ["tests/long/pictures/store-pictures.ts"], testTimeout: 300_000 },
});
