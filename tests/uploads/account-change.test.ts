// @vitest-environment happy-dom
import { waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { completeSignIn, signOut, userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { addUploads, restoreUploads, uploadsAtom } from "#webapp/uploads/uploads.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { ada, openApp, refuse } from "#tests/kit/browser/web.tsx";

const grace = { ...ada, _id: "01JD00000000000000000GRACE", name: "Grace" };
const MIB = 1024 * 1024;
const HEAD = "%PDF-1.4\n";
const SIZE_BYTES = 9 * MIB;
const received = (offset: number) => ({
  upload: {
    _id: "upload",
    family: "image" as const,
    name: "Cells.pdf",
    sizeBytes: SIZE_BYTES,
    offset,
    isComplete: false,
    expiresAt: 1,
  },
});

test("an upload ends with its session, and is restored when its own account signs in again", async () => {
  const firstPiece = createDeferred<ReturnType<typeof received>>();
  let user = ada;
  let pieces = 0;
  const app = await openApp("/home", {
    signedIn: true,
    answers: {
      auth: { getUser: () => ({ user, organization: null, tempToken: "temp" }) },
      uploads: {
        startUpload: () => received(0),
        appendToUpload: (_sent, signal) => {
          if (user !== ada) return refuse("not_found", "No");
          pieces += 1;
          signal?.addEventListener("abort", () => firstPiece.resolve(received(4 * MIB)));
          return pieces === 1 ? firstPiece.promise : received(SIZE_BYTES);
        },
      },
    },
  });
  await waitFor(() => expect(store.get(userAtom)?._id).toBe(ada._id));
  const file = new File([HEAD, new Uint8Array(SIZE_BYTES - HEAD.length)], "Cells.pdf", { type: "application/pdf" });
  void addUploads([file], { pageId: null });
  const sent = () => app.calls.filter((call) => call.startsWith("uploads."));
  await waitFor(() => expect(sent()).toEqual(["uploads.startUpload", "uploads.appendToUpload"]));
  await signOut();
  user = grace;
  await completeSignIn({ user: grace, token: "token-of-grace" });
  firstPiece.resolve(received(4 * MIB));
  await firstPiece.promise;
  await signOut();
  user = ada;
  await completeSignIn({ user: ada, token: "token-of-ada" });
  // Nothing was sent for the account in between.
  expect(sent()).toEqual(["uploads.startUpload", "uploads.appendToUpload"]);
  await restoreUploads(ada._id);
  expect(store.get(uploadsAtom).map(({ name }) => name)).toEqual(["Cells.pdf"]);
});
