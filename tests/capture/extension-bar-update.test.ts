import { expect, test } from "vitest";

test("a press during an update of the extension, which nobody answers, says that the bar was replaced", async () => {
  const runtime: { id: string | undefined; sendMessage: () => Promise<never> } = {
    id: "lamplight",
    sendMessage: () => new Promise(() => undefined),
  };
  Object.assign(globalThis, { chrome: { runtime } });
  const { sendBarRequest } = await import("#extension/platform/toolbar-messages.ts");
  const answer = sendBarRequest("page");
  runtime.id = undefined;
  expect(await answer).toBeUndefined();
});
