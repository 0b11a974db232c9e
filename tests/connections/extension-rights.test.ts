import { expect, test } from "vitest";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { v1 } from "#shared/contract/v1.ts";
import { startApi } from "#tests/kit/api.ts";
import { connectExtension } from "#tests/kit/connected-extension.ts";

const rows = Object.entries(v1).flatMap(([feature, endpoints]) =>
  Object.entries(endpoints as Record<string, Endpoint>).map(([name, row]) => ({ name: `${feature}.${name}`, row })),
);
const guarded = rows.filter(({ row }) => row.access !== "public");

const api = await startApi({ forFile: true, env: { RATE_LIMIT_FACTOR: "1000" } });
const ada = await api.newUser();
const token = await connectExtension(api, ada);
const tokens = [token, (await api.clientFor(token).auth.getUser({})).tempToken];

test("an extension may call exactly the endpoints on this list", () => {
  const allowed = rows.filter(({ row }) => row.forExtension).map(({ name }) => name);
  expect(allowed.toSorted()).toEqual([
    "auth.getUser",
    "auth.logout",
    "capture.listCaptures",
    "capture.saveCaptures",
    "feedback.rate",
    "flashcards.generateCards",
    "flashcards.listCardFavourites",
    "pages.getComponent",
    "pages.getContent",
    "pages.getPage",
    "pdf.getPassages",
    "research.cancelResearch",
    "research.followResearch",
    "research.getConversation",
    "research.plan",
    "research.sendResearch",
    "study.getDeckSchedule",
    "study.getDue",
    "sync.sendBatches",
    "tutor.ask",
    "tutor.followAnswer",
    "tutor.getThread",
    "tutor.listModels",
    "tutor.stopAnswer",
    "uploads.appendToUpload",
    "uploads.completeUpload",
    "uploads.getFile",
    "uploads.getUpload",
    "uploads.startUpload",
    "user.getPreferences",
    "video.putTranscript",
  ]);
});

test.each(guarded)("$name accepts an extension's token only if it is on the list", async ({ row }) => {
  if (row.path === v1.auth.logout.path) return;
  for (const each of tokens) {
    const response = await fetch(api.origin + row.path.replaceAll(/:\w+/g, "01JZZZZZZZZZZZZZZZZZZZZZZZ"), {
      method: row.method,
      headers: { authorization: `Bearer ${each}` },
    });
    const text = await response.text();
    const isRefused = response.status === 403 && text.includes('"not_for_extensions"');
    expect([row.path, isRefused]).toEqual([row.path, !row.forExtension]);
  }
});
