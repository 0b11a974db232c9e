// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { openApp } from "#tests/kit/browser/web.tsx";

vi.setConfig({ testTimeout: 30_000 });

/** Drops files on the screen. */
function drop(names: readonly string[]): void {
  const files = names.map((name) => new File(["words"], name));
  const event = new Event("drop", { bubbles: true, cancelable: true });
  Object.assign(event, { dataTransfer: { types: ["Files"], files } });
  document.body.dispatchEvent(event);
}

test("several files that cannot be uploaded are one notice, which one press removes", async () => {
  await openApp("/home", { signedIn: true });
  await screen.findByRole("heading", { level: 1 });
  drop(["game.exe", "letter.xyz", "other.exe"]);
  const notice = await screen.findByRole("alert");
  expect(notice.textContent).toContain("3 files were not uploaded");
  const reasons = within(notice).getAllByRole("listitem");
  expect(reasons.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^game\.exe, other\.exe: File type "exe" is not supported/u),
    expect.stringMatching(/^letter\.xyz: File type "xyz" is not supported/u),
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Remove these files from the list" }));
  expect(screen.queryByRole("alert")).toBeNull();
});
