// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { afterEach, expect, test } from "vitest";
import { NoResponseError, type Call } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { replyWith } from "#tests/kit/browser/reply.ts";
import { ada } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { setTransport } from "#webapp/app/client.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { setUser } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import {
  addUploads,
  dismissUpload,
  pauseUpload,
  restoreUploads,
  resumeUpload,
  uploadsAtom,
} from "#webapp/uploads/uploads.ts";

const lecture = () => new File(["%PDF-1.7"], "Lecture 9.pdf", { type: "application/pdf" });
const states = () => store.get(uploadsAtom).map(({ name, state }) => [name, state]);

/** Answers calls whose path begins with a key; all others are missing. */
function answerWith(answers: Record<string, (call: Call) => Promise<string>>): void {
  setTransport(async (call) => {
    const found = Object.entries(answers).find(([path]) => call.path.startsWith(path));
    if (!found) throw new Failure("not_found", "no_item");
    return replyWith(await found[1](call));
  });
}

const uploaded = async () => JSON.stringify({ component: { _id: "lecture", pageId: "page-1", type: "image" } });

afterEach(() => {
  for (const { id } of store.get(uploadsAtom)) dismissUpload(id);
});

test("a file waiting for a connection is never sent by the next account, and returns with its own", async () => {
  const senders: (string | undefined)[] = [];
  answerWith({
    "/v1/pages/upload": async () => {
      senders.push(store.get(accountIdAtom));
      throw new NoResponseError("network");
    },
  });
  setUser(ada);
  const added = addUploads([lecture()], { pageId: null });
  await expect.poll(states).toEqual([["Lecture 9.pdf", "waiting"]]);
  setUser({ ...ada, _id: "bob" });
  window.dispatchEvent(new Event("online"));
  await restoreUploads("bob");
  expect(await added).toEqual([undefined]);
  expect(store.get(uploadsAtom)).toEqual([]);
  setUser(ada);
  await restoreUploads(ada._id);
  expect(store.get(uploadsAtom).map(({ name }) => name)).toEqual(["Lecture 9.pdf"]);
  expect(new Set(senders)).toEqual(new Set([ada._id]));
});

test("an upload that is paused and resumed while it is checked is sent", async () => {
  const usage = createDeferred<undefined>();
  const isChecking = createDeferred<undefined>();
  answerWith({
    "/v1/user/usage": async () => {
      isChecking.resolve(undefined);
      await usage.promise;
      return "{}";
    },
    "/v1/pages/upload": uploaded,
  });
  setUser({ ...ada, _id: "carol" });
  void addUploads([lecture()], { pageId: null });
  await isChecking.promise;
  const id = store.get(uploadsAtom)[0]?.id ?? "";
  pauseUpload(id);
  resumeUpload(id);
  usage.resolve(undefined);
  await expect.poll(states).toEqual([["Lecture 9.pdf", "done"]]);
});
