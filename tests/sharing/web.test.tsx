// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { noNetwork, openApp, refuse } from "#tests/kit/web.tsx";

const press = async () => userEvent.setup().click(await screen.findByRole("button", { name: "Make a copy" }));

test.each([
  ["a page that is refused", "/duplicate/page/genes", "duplicatePage", "not_found", "Failed to duplicate page"],
  ["a page on a broken server", "/duplicate/page/genes", "duplicatePage", "broken", "Failed to duplicate page"],
  ["a PDF on a broken server", "/duplicate/pdf/lecture", "duplicateComponent", "broken", "Failed to duplicate PDF"],
  [
    "a PDF that is not public",
    "/duplicate/pdf/lecture",
    "duplicateComponent",
    "not_found",
    "Failed to clone PDF, please make sure the PDF is public or you have access to it.",
  ],
] as const)("copying %s says so, and the screen stays for another try", async (...[, path, call, code, said]) => {
  const app = await openApp(path, { signedIn: true, answers: { sharing: { [call]: () => refuse(code, "No") } } });
  await press();
  await screen.findByText(said);
  expect(app.address()).toBe(path);
  await screen.findByRole("button", { name: "Make a copy" });
});

test("copying without a network says so", async () => {
  await openApp("/duplicate/page/genes", { signedIn: true, answers: { sharing: { duplicatePage: noNetwork } } });
  await press();
  await screen.findByText("Failed to duplicate page");
});
