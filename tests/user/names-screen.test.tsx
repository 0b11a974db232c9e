// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { naughtyStrings } from "#tests/kit/naughty.ts";
import { ada, openApp } from "#tests/kit/browser/web.tsx";
import { startSession } from "#webapp/app/session/session.ts";
import { clearToken } from "#webapp/app/session/token.ts";

const called = (name: string) =>
  openApp("/settings", {
    signedIn: true,
    answers: { auth: { getUser: () => ({ user: { ...ada, name }, organization: null, tempToken: "temp" }) } },
  });

test("any name is shown as written and has no effect", async () => {
  // Only names that a screen could interpret as something else; the server's test has all names.
  const names = naughtyStrings().filter((name) => /[<&{$%]|\p{Bidi_Control}|\p{Emoji_Presentation}/u.test(name));
  for (const name of names.filter((candidate) => candidate.trim() !== "").slice(0, 12)) {
    const app = await called(name);
    const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Name" });
    expect(field.value).toBe(name.replaceAll(/[\r\n]/g, ""));
    expect(document.querySelector("main script, nav script, main img[onerror]")).toBeNull();
    app.unmount();
    // The next name belongs to another account.
    localStorage.clear();
    clearToken();
    await startSession();
  }
});

test.each([
  ["👩‍👩‍👧‍👦 Curie", "👩‍👩‍👧‍👦"],
  ["  ada", "A"],
  ["日本", "日"],
  ["é\u0301", "É\u0301"],
])("the account of %s is shown with the initial %s", async (name, initial) => {
  await called(name);
  await screen.findByRole("textbox", { name: "Name" });
  const shown = [...document.querySelectorAll(".sidebar-initial, .settings-initial")].map(
    (element) => element.textContent,
  );
  expect(shown).toEqual([initial, initial]);
});
