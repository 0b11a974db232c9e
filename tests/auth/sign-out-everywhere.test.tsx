// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { readToken } from "#webapp/app/session/token.ts";
import { type Screen, screens } from "#shared/screens.ts";
import { openApp } from "#tests/kit/browser/web.tsx";

const screensWith = (wanted: Screen["layout"]) =>
  Object.entries(screens).filter(([, { access, layout }]) => access === "user" && layout === wanted);
/** The path with a value for each parameter. */
const addressOf = (path: string) => path.replaceAll(/[:*]\w+/g, "01JD0000000000000000000ADA");

const findAccount = () => screen.findByTitle("Account of Ada");

test.each(screensWith("default"))("the screen %s has the account's menu", async (_, { path }) => {
  await openApp(addressOf(path), { signedIn: true });
  expect((await findAccount()).tagName).toBe("BUTTON");
});

test.each(screensWith("centered"))(
  "the screen %s has a link to a screen with the account's menu",
  async (_, { path }) => {
    const app = await openApp(addressOf(path), { signedIn: true });
    await userEvent.setup().click(await screen.findByRole("link", { name: "Lamplight" }));
    await waitFor(() => expect(app.address()).toBe("/home"));
  },
);

test("signing out from the account's menu ends the session", async () => {
  const app = await openApp("/home", { signedIn: true });
  const user = userEvent.setup();
  await user.click(await findAccount());
  await user.click(within(await screen.findByRole("menu")).getByRole("menuitem", { name: "Sign out" }));
  await waitFor(() => expect(app.calls).toContain("auth.logout"));
  await waitFor(() => expect(readToken()).toBeUndefined());
});
