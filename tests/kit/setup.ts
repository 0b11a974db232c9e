// Runs before each test file. A busy machine renders late, so timeouts are generous.
if ("document" in globalThis) {
  const { configure } = await import("@testing-library/react");
  configure({ asyncUtilTimeout: 20_000 });
}
