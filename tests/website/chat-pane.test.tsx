// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Provider } from "jotai/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setSessionPort, setTransport } from "#webapp/app/client.ts";
import { store } from "#webapp/app/store.ts";
import { ChatPane } from "#webapp/website/chat/chat-pane.tsx";

let isUp = true;
const thread = { _id: "t1", messages: [], thread_title: null, updated_at: 1 };

beforeEach(() => {
  isUp = true;
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  setSessionPort({ tempToken: () => Promise.resolve(undefined), handleRefusal: () => undefined });
  setTransport(({ path }) => {
    if (!isUp || !path.endsWith("/threads")) throw new Error("refused");
    return Promise.resolve({ text: () => Promise.resolve(JSON.stringify({ threads: [thread] })) } as never);
  });
});
afterEach(cleanup);

const openPane = () =>
  render(
    <Provider store={store}>
      <ChatPane projectId="p1" name="Genes" />
    </Provider>,
  );

test("a message that could not be sent returns to the field, with the reason above it", async () => {
  openPane();
  const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Say what to change" });
  fireEvent.change(field, { target: { value: "Make it blue" } });
  fireEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(field.value).toBe("");
  expect((await screen.findByRole("alert")).textContent).toBe("No authentication token available");
  await waitFor(() => expect(field.value).toBe("Make it blue"));
  // The message was shown at once and is now removed from the conversation.
  expect(screen.getByRole("log").textContent).not.toContain("Make it blue");
});

test("a history that could not be loaded is not shown as empty, and loads on a retry", async () => {
  isUp = false;
  openPane();
  const failure = await screen.findByRole("alert");
  expect(failure.textContent).toContain("Failed to load conversation history");
  const log = screen.getByRole("log");
  expect(log.textContent).toBe("");
  isUp = true;
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("combobox", { name: "Conversations" });
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByRole("log").textContent).not.toBe("");
});
