// Runs before each file of tests. A busy machine draws late: what matters is that it is drawn.
if ("document" in globalThis) {
  const { configure } = await import("@testing-library/react");
  configure({ asyncUtilTimeout: 20_000 });
}
