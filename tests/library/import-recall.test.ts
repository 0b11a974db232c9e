// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { expect, onTestFinished, test, vi } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { frameEvent } from "#shared/contract/framing.ts";
import { ada } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { setTransport } from "#webapp/app/client.ts";
import { setUser } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { listStoredUploads, findStoredNotes } from "#webapp/uploads/upload-store.ts";
import { importFiles, importingAtom, resumeImport } from "#webapp/library/import/import-state.ts";
import { aNotesImport } from "./made-notes.ts";

const lists: Record<string, unknown> = {
  "/v1/auth/get_content": { content: { pages: [], components: [], podcasts: [] } },
  "/v1/user_folders": { folders: [] },
};

type ServerState = "works" | "breaks_off" | "refuses";

/** A server that imports notes, breaks off halfway or refuses them; `imports` counts its import requests. */
function aServer(accountId: string) {
  const server = { state: "works" as ServerState, imports: 0 };
  setTransport(async ({ path, endpoint }) => {
    const isImport = path === "/v1/imports" && endpoint.method === "POST";
    if (isImport) server.imports += 1;
    if (isImport && server.state === "refuses") throw new Failure("invalid_file", { message: "This is not a zip." });
    const answer = lists[path] ?? { imports: [] };
    return {
      text: async () => JSON.stringify(answer),
      blob: async () => new Blob(),
      async *pieces() {
        yield frameEvent({ type: "progress", done: 1, total: 3 });
        if (server.state === "breaks_off") throw new NoResponseError("network");
        yield frameEvent({ type: "result", result: aNotesImport });
      },
    };
  });
  setUser({ ...ada, _id: accountId });
  return server;
}

const vault = () => new File(["PK"], "vault.zip", { type: "application/zip" });

test("an interrupted import is stored, resumes once on the next visit, and is forgotten when complete", async () => {
  const server = aServer("importer-1");
  server.state = "breaks_off";
  await importFiles([vault()]);
  expect(store.get(importingAtom).state).toBe("failed");
  expect((await findStoredNotes("importer-1"))?.name).toBe("vault.zip");
  // It is not listed as an upload of files.
  expect(await listStoredUploads("importer-1")).toEqual([]);

  server.state = "works";
  await resumeImport();
  expect(store.get(importingAtom)).toMatchObject({ state: "done", report: { pages: 3 } });
  expect(await findStoredNotes("importer-1")).toBeUndefined();
  await resumeImport();
  expect(server.imports).toBe(2);
});

test("refused notes aren't retried, and another account doesn't resume them", async () => {
  const server = aServer("importer-2");
  server.state = "refuses";
  await importFiles([vault()]);
  expect(store.get(importingAtom)).toMatchObject({ state: "failed", message: "This is not a zip." });
  expect(await findStoredNotes("importer-2")).toBeUndefined();

  server.state = "breaks_off";
  await importFiles([vault()]);
  setUser({ ...ada, _id: "importer-3" });
  await resumeImport();
  expect(server.imports).toBe(2);
});

test("files that are still packed when another account signs in are not imported into it", async () => {
  const server = aServer("importer-4");
  const note = new File(["# Cells"], "cells.md", { type: "text/markdown" });
  // The test document's files lack it.
  Object.defineProperty(note, "webkitRelativePath", { value: "" });
  const importing = importFiles([note]);
  expect(store.get(importingAtom).state).toBe("packing");
  setUser({ ...ada, _id: "importer-5" });
  await importing;
  expect([server.imports, store.get(importingAtom).state]).toEqual([0, "idle"]);
  expect(await findStoredNotes("importer-5")).toBeUndefined();
});

test("an import that waited for another tab is not sent after another account has signed in", async () => {
  const turn = createDeferred<void>();
  const request = async (_name: string, work: () => Promise<void>) => turn.promise.then(work);
  vi.stubGlobal("navigator", { locks: { request } });
  onTestFinished(() => void vi.unstubAllGlobals());
  const server = aServer("importer-6");
  const importing = importFiles([vault()]);
  setUser({ ...ada, _id: "importer-7" });
  turn.resolve();
  await importing;
  expect([server.imports, store.get(importingAtom).state]).toEqual([0, "idle"]);
  expect(await findStoredNotes("importer-6")).toBeUndefined();
});
