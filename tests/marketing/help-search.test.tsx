// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { HelpIndex } from "#webapp/marketing/site/help-index.tsx";
import { listPages } from "#webapp/marketing/site/pages.ts";

const FAILED = "The help cannot be searched right now. Check your connection.";
const articles = [{ path: "/help/study/exam-date", title: "Set an exam date", about: "The plan", text: "Spreads" }];

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const status = () => document.getElementById("help-status")?.textContent;

const getField = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search the help" });

/** Shows the help page as the server sends it, before its script runs. */
function showPage() {
  const connection = { isUp: false };
  vi.stubGlobal("fetch", async () => (connection.isUp ? Response.json(articles) : Response.error()));
  const all = listPages("en");
  const page = all.find(({ screen: name }) => name === "help");
  if (!page) throw new Error("There is no help page");
  document.body.innerHTML = renderToString(<HelpIndex page={page} pages={all} />);
  return connection;
}

const startScript = () => import("#webapp/marketing/site/help-search.ts");

/** Opens the help page without a connection, and types a letter into its search. */
async function searchOffline() {
  const connection = showPage();
  await startScript();
  const user = userEvent.setup();
  const field = getField();
  await user.type(field, "e");
  await waitFor(() => expect(status()).toBe(FAILED));
  return { connection, user, field };
}

test("the help page says that it cannot be searched, and the next key tries again", async () => {
  const { connection, user, field } = await searchOffline();
  connection.isUp = true;
  await user.type(field, "x");
  await waitFor(() => expect(status()).toBe("1 articles found"));
  expect(screen.getByRole("link", { name: "Set an exam date" }).getAttribute("href")).toBe("/help/study/exam-date");
});

test("the help page searches again when the connection is back", async () => {
  const { connection } = await searchOffline();
  connection.isUp = true;
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(status()).toBe("1 articles found"));
});

test("what was typed before the script of the help page was there is searched too", async () => {
  showPage().isUp = true;
  getField().value = "exam";
  await startScript();
  await waitFor(() => expect(status()).toBe("1 articles found"));
});
