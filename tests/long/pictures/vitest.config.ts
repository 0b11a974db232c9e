import { defineConfig } from "vitest/config";

export default defineConfig({
  // The panel's driver waits as tests do, which needs a test around it.
  test: { include: ["tests/long/pictures/store-pictures.ts"], testTimeout: 300_000 },
});
