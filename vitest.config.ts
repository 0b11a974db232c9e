import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const files = globSync("tests/**/*.test.{ts,tsx}", { exclude: ["tests/journeys/**", "tests/long/**"] });

/**
 * Signs of a test file that needs its own process, because it uses a document, changes a global, mocks a module or the
 * clock, uses the extension (which has state in its modules), starts servers, or measures CPU time, which the garbage
 * collection of other files would distort. The other files share one process for each worker, which loads the API once.
 */
const NEEDS_OWN_PROCESS =
  /@vitest-environment|\bvi\.(?:mock|doMock|stub\w+|resetModules|spyOn\(performance|useFakeTimers|setSystemTime)|process\.(?:env\[[^\]]+\] =(?!=)|chdir|memoryUsage|cpuUsage)|kit\/timing\/growth|fake-indexeddb|globalThis|#extension\/|#tests\/kit\/browser\/|start(?:ServerProcess|MongoWire)/u;

const needsOwnProcess = (file: string) => NEEDS_OWN_PROCESS.test(readFileSync(file, "utf8"));

const projectOf = (name: string, isolate: boolean) => ({
  extends: true as const,
  // In a shared process a spy would outlive its test.
  test: { name, isolate, restoreMocks: !isolate, include: files.filter((file) => needsOwnProcess(file) === isolate) },
});

export default defineConfig({
  test: {
    setupFiles: ["tests/kit/setup.ts"],
    // One more than a small machine's two cores: a third of the time, a test waits for a server, a disk or a timer.
    maxWorkers: 3,
    // Far above what any of them takes: a slow machine is no fault, a test that never ends is one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [projectOf("apart", true), projectOf("together", false)],
  },
});
