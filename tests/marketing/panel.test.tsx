// @vitest-environment happy-dom
import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { HelpPanel } from "#extension/marketing/help-panel.tsx";

const opened: string[] = [];
vi.mock("#extension/platform/pages.ts", () => ({ openTab: async (address: string) => void opened.push(address) }));
vi.mock("#extension/app/settings-store.ts", () => ({ readServer: async () => "https://study.example.org" }));

test("the side panel opens an article, and a question at its heading, in the language of the panel", async () => {
  const articles = [
    { path: "/help/cards/anki", title: "Export decks to Anki", about: "", text: "" },
    { path: "/faq#can-i-bring-my-anki-decks", title: "Can I bring my Anki decks?", about: "", text: "" },
  ];
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(articles));
  render(<HelpPanel />);
  const user = userEvent.setup();
  await user.type(screen.getByRole("searchbox"), "anki");
  await user.click(await screen.findByRole("link", { name: "Export decks to Anki" }));
  await user.click(screen.getByRole("link", { name: "Can I bring my Anki decks?" }));
  await waitFor(() =>
    expect(opened).toEqual([
      "https://study.example.org/help/cards/anki?lang=en",
      "https://study.example.org/faq?lang=en#can-i-bring-my-anki-decks",
    ]),
  );
});
