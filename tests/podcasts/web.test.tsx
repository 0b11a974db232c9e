// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Podcast } from "#shared/podcasts/schema.ts";
import { voices } from "#shared/podcasts/voices.ts";
import { openPodcastDialog } from "#webapp/podcasts/creation.ts";
import { type Answers, openApp, refuse } from "#tests/kit/browser/web.tsx";
import { aPodcast } from "./a-podcast.ts";

const holding = (podcast: Podcast, more: Answers["podcasts"] = {}): Answers => ({
  pages: { getContent: () => ({ content: { pages: [], components: [], podcasts: [podcast] } }) },
  podcasts: {
    getPodcast: () => ({ podcast }),
    getTranscript: () => ({ lines: [], chapters: [] }),
    updatePodcast: (sent) => ({ podcast: { ...podcast, is_archived: sent["is_archived"] === true } }),
    ...more,
  },
});

async function openMenu(answers: Answers) {
  await openApp("/podcasts", { signedIn: true, answers });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "More for Inside cells" }));
  return user;
}

test("deleting a podcast shows 'Podcast deleted', and undoing it 'Podcast restored'", async () => {
  const user = await openMenu(holding(aPodcast()));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await screen.findByText("Podcast deleted");
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("Podcast restored");
  await screen.findByRole("link", { name: "Inside cells" });
});

test("a podcast is pinned from its menu", async () => {
  const pinned: unknown[] = [];
  const pinTo = (sent: Record<string, unknown>) => {
    pinned.push(sent);
    const data = { componentType: "podcast" as const, title: "Inside cells" };
    return {
      favorite: {
        _id: "pin",
        userId: "ada",
        itemId: aPodcast()._id,
        itemType: "component" as const,
        data,
        createdAt: 1,
        sortIndex: 1,
      },
    };
  };
  const user = await openMenu({
    ...holding(aPodcast()),
    library: { getFavorites: () => ({ favorites: [] }), addFavorite: pinTo },
  });
  await user.click(await screen.findByRole("menuitem", { name: "Pin to sidebar" }));
  expect(pinned).toEqual([{ itemId: aPodcast()._id, itemType: "component" }]);
  await user.click(screen.getByRole("button", { name: "More for Inside cells" }));
  await screen.findByRole("menuitem", { name: "Remove pin" });
});

test("where deleting or restoring fails, the podcast stays as it is", async () => {
  const user = await openMenu(holding(aPodcast(), { updatePodcast: () => refuse("broken", "No") }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await screen.findByText("Failed to delete podcast");
  await screen.findByRole("link", { name: "Inside cells" });
});

test("deleting a podcast on its own screen leads home; a deleted one can be restored on its screen", async () => {
  let isArchived = true;
  const podcast = () => aPodcast({ is_archived: isArchived, archived_at: isArchived ? 1 : null });
  const updatePodcast = (sent: Record<string, unknown>) => {
    isArchived = sent["is_archived"] === true;
    return { podcast: podcast() };
  };
  const answers = holding(aPodcast(), { getPodcast: () => ({ podcast: podcast() }), updatePodcast });
  const { address } = await openApp(`/podcast/${aPodcast()._id}`, { signedIn: true, answers });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Restore" }));
  await screen.findByText("Podcast restored");
  await expect.poll(() => screen.queryByText("You deleted this podcast.")).toBeNull();
  await user.click(screen.getByRole("button", { name: "More for Inside cells" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await screen.findByText("Podcast deleted");
  await expect.poll(address).toBe("/home");
});

test("a deletion that cannot be undone shows a message", async () => {
  let calls = 0;
  const podcast = aPodcast();
  const updatePodcast = () => (++calls > 1 ? refuse("broken", "No") : { podcast: { ...podcast, is_archived: true } });
  const user = await openMenu(holding(podcast, { updatePodcast }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await screen.findByText("Failed to restore podcast");
});

test("a podcast is deleted for good only after a question; a failure leaves it", async () => {
  const user = await openMenu(holding(aPodcast(), { deletePodcast: () => refuse("broken", "No") }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete permanently" }));
  await user.click(await screen.findByRole("button", { name: "Delete permanently" }));
  await screen.findByText("Failed to delete podcast. Please try again.");
});

test("a name that cannot be saved shows a message", async () => {
  const user = await openMenu(holding(aPodcast(), { updatePodcast: () => refuse("broken", "No") }));
  await user.click(await screen.findByRole("menuitem", { name: "Rename" }));
  await user.click(await screen.findByRole("button", { name: "Save" }));
  await screen.findByText("Failed to update podcast. Please try again.");
});

test("a podcast that was not finished shows the reason; a failed retry shows a message", async () => {
  const error = { message: "The speech server is busy. Please try again later.", reason: "podcast_speech_busy" };
  const failed = aPodcast({ status: "failed", error, duration_ms: 0 });
  const answers = holding(failed, { retryPodcast: () => refuse("broken", "No") });
  await openApp(`/podcast/${failed._id}`, { signedIn: true, answers });
  await screen.findByText(error.message);
  await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Failed to retry podcast generation. Please try again.");
});

test("without a source or a name for the guest nothing is created, and the dialog shows the reason", async () => {
  const listed = voices.map(({ id, name, gender }) => ({ id, name, gender, engine: "built_in" as const }));
  await openApp("/podcasts", {
    signedIn: true,
    answers: holding(aPodcast(), { listVoices: () => ({ voices: listed }) }),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "New podcast" }));
  await screen.findByRole("radio", { name: /Ewan/ });
  await user.click(screen.getByRole("button", { name: "Make podcast" }));
  await screen.findByText("Must provide between 1 and 3 content sources");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
});

test("a wish that is repeated because its answer was lost makes no second podcast", async () => {
  const ids: unknown[] = [];
  const createPodcast = (sent: Record<string, unknown>) => {
    ids.push(sent["id"]);
    return refuse("broken", "No");
  };
  const listed = voices.map(({ id, name, gender }) => ({ id, name, gender, engine: "built_in" as const }));
  const answers = holding(aPodcast(), { listVoices: () => ({ voices: listed }), createPodcast });
  await openApp("/podcasts", { signedIn: true, answers });
  await screen.findByRole("link", { name: "Inside cells" });
  act(() => openPodcastDialog([{ type: "pdf", id: "file" }]));
  const user = userEvent.setup();
  await screen.findByRole("radio", { name: /Ewan/ });
  await user.click(screen.getByRole("button", { name: "Make podcast" }));
  await expect.poll(() => ids).toHaveLength(1);
  await user.click(await screen.findByRole("button", { name: "Make podcast" }));
  await expect.poll(() => ids).toHaveLength(2);
  expect(ids[0]).toBe(ids[1]);
  await user.click(screen.getByRole("radio", { name: /Ewan/ }));
  await user.click(await screen.findByRole("button", { name: "Make podcast" }));
  await expect.poll(() => ids).toHaveLength(3);
  expect(ids[2]).not.toBe(ids[1]);
  await user.click(screen.getByRole("button", { name: "Cancel" }));
});

test.each([
  ["becomes ready", {}, "“Inside cells” is ready"],
  ["fails", { status: "failed", duration_ms: 0 }, "“Inside cells” was not finished"],
] as const)("a podcast that %s is announced", async (_, end, message) => {
  let isDone = false;
  const podcast = () => (isDone ? aPodcast(end) : aPodcast({ status: "generating_audio", duration_ms: 0 }));
  const answers = holding(aPodcast(), { getPodcast: () => ({ podcast: podcast() }) });
  answers.pages = { getContent: () => ({ content: { pages: [], components: [], podcasts: [podcast()] } }) };
  await openApp("/podcasts", { signedIn: true, answers });
  await screen.findByText("Recording");
  isDone = true;
  document.dispatchEvent(new Event("visibilitychange"));
  await screen.findByText(message);
  expect(screen.queryByText("Recording")).toBeNull();
});
