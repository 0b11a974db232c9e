// @vitest-environment happy-dom
import { act, cleanup, renderHook, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Preferences } from "#shared/user/schema.ts";
import { openApp } from "#tests/kit/browser/web.tsx";
import { closeOverlay } from "#webapp/app/overlays.ts";
import { useFocusMode } from "#webapp/pages/focus-mode.ts";
import { useWakeLock } from "#webapp/study/modes/use-wake-lock.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "wakeLock");
});

test("labs list experiments, off by default, with their effect, and save the choice", async () => {
  const saved: Preferences[] = [];
  const savePreferences = (sent: unknown) => {
    saved.push(Preferences.parse(sent));
    return Preferences.parse(sent);
  };
  await openApp("/labs", { signedIn: true, answers: { user: { savePreferences } } });
  await screen.findByRole("heading", { name: "Labs" });
  const user = userEvent.setup();
  const awake = screen.getByRole<HTMLInputElement>("switch", { name: "Keep the screen on while studying" });
  expect(awake.checked).toBe(false);
  expect(screen.getByRole("switch", { description: /Dims everything/ })).toBeDefined();
  await user.click(awake);
  await waitFor(() => expect(saved.at(-1)?.labs).toEqual({ stay_awake: true, one_block: false }));
  await user.click(screen.getByRole("button", { name: "Send feedback" }));
  await screen.findByRole("dialog", { name: "Send feedback" });
  act(closeOverlay);
});

test("an experiment that this browser doesn't support has a notice", async () => {
  await openApp("/labs", { signedIn: true });
  expect(await screen.findAllByText(/Your browser doesn't support this/)).toHaveLength(2);
});

/** Adds a fake wake lock API to the browser; returns the requested locks. */
function addWakeLock() {
  const locks: { released: boolean; release: () => Promise<void> }[] = [];
  const request = async () => {
    const lock = {
      released: false,
      release: async () => {
        lock.released = true;
      },
    };
    locks.push(lock);
    return lock;
  };
  Object.defineProperty(navigator, "wakeLock", { configurable: true, value: { request } });
  return locks;
}

test("the screen stays on while a deck is studied, and no longer", async () => {
  const locks = addWakeLock();
  const off = renderHook(() => useWakeLock(false));
  off.unmount();
  expect(locks).toEqual([]);
  const studied = renderHook(() => useWakeLock(true));
  await waitFor(() => expect(locks.map(({ released }) => released)).toEqual([false]));
  // The browser released the lock while the window was hidden.
  if (locks[0]) locks[0].released = true;
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  await waitFor(() => expect(locks).toHaveLength(2));
  studied.unmount();
  expect(locks.every(({ released }) => released)).toBe(true);
});

test("a browser without wake lock changes nothing else", () => {
  const { unmount } = renderHook(() => useWakeLock(true));
  unmount();
});

/** Selects text from one line into another, as a student does. */
const selectLines = (from: Element | undefined, to = from) => {
  document.getSelection()?.setBaseAndExtent(from?.firstChild ?? document, 1, to?.firstChild ?? document, 2);
  document.dispatchEvent(new Event("selectionchange"));
};

test("text around the edited block is dimmed, unless several are selected or the option is off", () => {
  const painted = new Map<string, readonly Range[]>();
  vi.stubGlobal("CSS", { highlights: painted });
  vi.stubGlobal(
    "Highlight",
    class extends Array<Range> {
      constructor(...ranges: Range[]) {
        super();
        this.push(...ranges);
      }
    },
  );
  document.body.innerHTML =
    '<div class="ProseMirror"><p class="page-text">one</p><p class="page-text">two</p><p class="page-text">three</p></div>';
  const [first, second, third] = document.querySelectorAll("p");
  const { unmount } = renderHook(() => useFocusMode(true));
  selectLines(second);
  expect(painted.get("lamplight-aside")?.map(String)).toEqual(["one", "three"]);
  selectLines(second, third);
  expect(painted.has("lamplight-aside")).toBe(false);
  selectLines(first);
  expect(painted.get("lamplight-aside")?.map(String)).toEqual(["", "twothree"]);
  unmount();
  expect(painted.has("lamplight-aside")).toBe(false);
});
