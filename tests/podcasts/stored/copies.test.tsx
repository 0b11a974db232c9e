// @vitest-environment happy-dom
import { Blob as NodeBlob } from "node:buffer";
import { act, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { goTo } from "#webapp/app/navigation.ts";
import { cacheList } from "#webapp/offline/list-cache.ts";
import { cachePodcast } from "#webapp/offline/podcast-cache.ts";
import { listSaved } from "#webapp/podcasts/sound.ts";
import { ada, type Answers, noNetwork, openApp, refuse } from "#tests/kit/browser/web.tsx";
import { aPodcast } from "../a-podcast.ts";

const listSavedIds = async () => (await listSaved()).map(({ id }) => id);

test("after a start without a network, the copies stay when one episode is renamed and another is gone", async () => {
  const [renamed, gone] = [aPodcast(), aPodcast({ _id: "01JD000000000000000GENES" })];
  const copies = [renamed._id, gone._id, "01JD00000000000000OTHER1", "01JD00000000000000OTHER2"];
  for (const id of copies) {
    // The test document's own `Blob` cannot be stored.
    const audio = new NodeBlob(["sound"]) as Blob;
    const podcast = aPodcast({ _id: id });
    await cachePodcast(ada._id, { id, podcast, transcript: { lines: [], chapters: [] }, audio });
  }
  await cacheList(ada._id, "content", { pages: [], components: [] });
  let isGone = false;
  const answers: Answers = {
    pages: { getContent: noNetwork },
    podcasts: {
      getPodcast: () => (isGone ? refuse("not_found", "No") : { podcast: renamed }),
      getTranscript: () => ({ lines: [], chapters: [] }),
      updatePodcast: () => ({ podcast: renamed }),
    },
  };
  await openApp("/podcasts", { signedIn: true, answers });
  const user = userEvent.setup();
  act(() => goTo(`/podcast/${renamed._id}`));
  await user.click(await screen.findByRole("button", { name: "More for Inside cells" }));
  await user.click(await screen.findByRole("menuitem", { name: "Rename" }));
  await user.click(await screen.findByRole("button", { name: "Save" }));
  await expect.poll(() => screen.queryByRole("button", { name: "Save" })).toBeNull();
  isGone = true;
  act(() => goTo(`/podcast/${gone._id}`));
  await screen.findByText("Podcast not found");
  await expect.poll(listSavedIds).not.toContain(gone._id);
  await act(() => new Promise((resolve) => setImmediate(resolve)));
  expect(await listSavedIds()).toEqual(copies.filter((id) => id !== gone._id));
});
