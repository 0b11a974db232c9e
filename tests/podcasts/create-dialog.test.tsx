// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, onTestFinished, test, vi } from "vitest";
import { voices } from "#shared/podcasts/voices.ts";
import { setTransport } from "#webapp/app/client.ts";
import { openPodcastDialog } from "#webapp/podcasts/creation.ts";
import { type Answers, noNetwork, openApp, refuse } from "#tests/kit/browser/web.tsx";
import { replyWith } from "#tests/kit/browser/reply.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { aPodcast, holding } from "./a-podcast.ts";

const listedVoices = voices.map(({ id, name, gender }) => ({ id, name, gender, engine: "built_in" as const }));

test("without a source or a name for the guest nothing is created, and the dialog shows the reason", async () => {
  await openApp("/podcasts", {
    signedIn: true,
    answers: holding(aPodcast(), { listVoices: () => ({ voices: listedVoices }) }),
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "New podcast" }));
  await screen.findByRole("radio", { name: /Ewan/ });
  await user.click(screen.getByRole("button", { name: "Make podcast" }));
  await screen.findByText("Must provide between 1 and 3 content sources");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
});

test("a request that is repeated because its answer was lost creates no second podcast", async () => {
  const ids: unknown[] = [];
  const createPodcast = (sent: Record<string, unknown>) => {
    ids.push(sent["id"]);
    return refuse("broken", "No");
  };
  const answers = holding(aPodcast(), { listVoices: () => ({ voices: listedVoices }), createPodcast });
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

async function openDialog(more: Answers["podcasts"]) {
  const answers = holding(aPodcast(), { listVoices: () => ({ voices: listedVoices }), ...more });
  const app = await openApp("/podcasts", { signedIn: true, answers });
  await screen.findByRole("link", { name: "Inside cells" });
  act(() => openPodcastDialog([{ type: "pdf", id: "file" }]));
  await screen.findByRole("dialog", { name: "New podcast" });
  return { ...app, user: userEvent.setup() };
}

test("an episode whose dialog was cancelled while it was created is deleted and does not open", async () => {
  const [sent, answer] = [createDeferred<AbortSignal | undefined>(), createDeferred<undefined>()];
  const made = aPodcast({ _id: "01JD00000000000000000LATE", title: "Too late" });
  const { user, address, calls } = await openDialog({
    createPodcast: async (_, signal) => {
      sent.resolve(signal);
      await answer.promise;
      return { podcast: made };
    },
    deletePodcast: () => ({ success: true }),
  });
  await screen.findByRole("radio", { name: /Ewan/ });
  await user.click(screen.getByRole("button", { name: "Make podcast" }));
  const signal = await sent.promise;
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(signal?.aborted).toBe(true);
  act(() => openPodcastDialog([{ type: "pdf", id: "another" }]));
  await act(async () => {
    answer.resolve(undefined);
    await new Promise((resolve) => setImmediate(resolve));
  });
  expect(address()).toBe("/podcasts");
  await screen.findByRole("dialog", { name: "New podcast" });
  expect(screen.queryByText("Too late")).toBeNull();
  await expect.poll(() => calls).toContain("podcasts.deletePodcast");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
});

test("voices that could not be loaded are shown as a failure, and load again on a retry", async () => {
  let isOffline = true;
  const { user } = await openDialog({ listVoices: () => (isOffline ? noNetwork() : { voices: listedVoices }) });
  await screen.findByText("The voices could not be loaded.");
  await user.click(screen.getByRole("button", { name: "Make podcast" }));
  expect(screen.queryByText("Must provide a valid guest")).toBeNull();
  isOffline = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("radio", { name: /Ewan/ });
  expect(screen.queryByText("The voices could not be loaded.")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
});

test("of two voice samples only the one chosen last plays, whichever arrives last, and none after the dialog", async () => {
  const played: string[] = [];
  class FakeAudio extends EventTarget {
    readonly #url: string;
    constructor(url: string) {
      super();
      this.#url = url;
    }
    async play() {
      played.push(this.#url);
    }
    pause() {}
  }
  vi.stubGlobal("Audio", FakeAudio);
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => (blob instanceof Blob ? blob.type : ""));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const samples = new Map<string, (sample: Blob) => void>();
  const { user } = await openDialog({});
  setTransport(async ({ path }) => {
    const voice = path.split("/").find((part) => listedVoices.some(({ id }) => id === part)) ?? path;
    const sample = await new Promise<Blob>((resolve) => samples.set(voice, resolve));
    return { ...replyWith(""), blob: async () => sample };
  });
  const [first, second, third] = listedVoices;
  const isSecond = () => played.map((type) => type === `audio/${second?.id}`.toLowerCase());
  const play = async (voice: typeof first) => user.click(screen.getByRole("button", { name: `Hear ${voice?.name}` }));
  const arrive = (voice: typeof first) =>
    act(async () => {
      samples.get(voice?.id ?? "")?.(new Blob(["sound"], { type: `audio/${voice?.id}` }));
      await new Promise((resolve) => setImmediate(resolve));
    });
  await play(first);
  await play(second);
  await arrive(second);
  await arrive(first);
  expect(isSecond()).toEqual([true]);
  await play(third);
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await arrive(third);
  expect(isSecond()).toEqual([true]);
});
