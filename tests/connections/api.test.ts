import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aPage } from "#tests/store/changes.ts";
import { noise } from "#tests/kit/random.ts";
import { aGoogle, type Google } from "#tests/kit/servers/google.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";

const MB = 1024 * 1024;

async function aWorld(plan: "FREE" | "ULTIMATE" = "ULTIMATE") {
  const film = Buffer.concat([Buffer.from("\0\0\0\x20ftypisom\0\0\x02\0isomiso2", "latin1"), noise(9 * MB)]);
  const google = await aGoogle([
    { id: "pdf", name: "Genes.pdf", mimeType: "application/pdf", bytes: await tinyPdf([["A codon."]]).bytes() },
    { id: "film", name: "Lecture 9.mp4", mimeType: "video/mp4", bytes: film },
    {
      id: "doc",
      name: "Notes",
      mimeType: "application/vnd.google-apps.document",
      bytes: await tinyPdf([["Notes."]]).bytes(),
    },
    { id: "form", name: "It's a form", mimeType: "application/vnd.google-apps.form", bytes: new Uint8Array(0) },
    { id: "liar", name: "Words.pdf", mimeType: "application/pdf", bytes: Buffer.from("only words, and no PDF") },
  ]);
  const api = await startApi({ env: google.env });
  return { google, api, film, ada: await api.newUser({ plan }), eve: await api.newUser() };
}

async function connect(google: Google, user: TestUser): Promise<string> {
  const { authUrl } = await user.client.connections.startGoogleDrive({});
  const { connection } = await user.client.connections.finishGoogle(await google.allow(authUrl));
  return connection._id;
}

test("connects a Drive through its issuer and never exposes tokens", async () => {
  const { google, api, ada, eve } = await aWorld();
  const id = await connect(google, ada);
  const answer = await ada.client.connections.listConnections({});
  expect(answer.connections).toEqual([
    {
      _id: id,
      connection_type: "google_drive",
      is_active: true,
      email: "ada@gmail.example",
      createdAt: api.clock.now(),
    },
  ]);
  expect((await eve.client.connections.listConnections({})).connections).toEqual([]);
  const stored = readFileSync(join(api.dataDir, "lamplight.db")).toString("latin1");
  expect(stored).not.toContain("accessToken");
  expect(stored).not.toContain("refreshToken");
});

test("without settings, names the missing ones and refuses to connect", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  expect(await ada.client.connections.getConnectionSettings({})).toEqual({
    google: { isConfigured: false, missing: ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"] },
  });
  const refused = { code: "not_configured", message: "Google Drive is not set up on this server." };
  await expect(ada.client.connections.startGoogleDrive({})).rejects.toMatchObject(refused);
  await expect(ada.client.connections.finishGoogle({ code: "x", state: "drive.x" })).rejects.toMatchObject(refused);
});

test("a response from the issuer works once, for its own account, within ten minutes", async () => {
  const { google, api, ada, eve } = await aWorld();
  const response = await google.allow((await ada.client.connections.startGoogleDrive({})).authUrl);
  const stale = { code: "bad_input", message: "This attempt to connect Google has expired. Please connect again." };
  await expect(eve.client.connections.finishGoogle(response)).rejects.toMatchObject(stale);
  await ada.client.connections.finishGoogle(response);
  await expect(ada.client.connections.finishGoogle(response)).rejects.toMatchObject(stale);
  const late = await google.allow((await ada.client.connections.startGoogleDrive({})).authUrl);
  api.clock.advance(10 * 60 * 1000 + 1);
  await expect(ada.client.connections.finishGoogle(late)).rejects.toMatchObject(stale);
  const { authUrl } = await ada.client.connections.startGoogleDrive({});
  const { state } = await google.allow(authUrl);
  await expect(ada.client.connections.finishGoogle({ code: "made up", state })).rejects.toMatchObject({
    code: "bad_input",
    message: "Google refused the request. Please connect again.",
  });
});

test("lists and searches files, and marks those that can't be imported", async () => {
  const { google, ada, eve } = await aWorld();
  const id = await connect(google, ada);
  const { files, nextPageToken } = await ada.client.connections.listDriveFiles({ id });
  expect(files.map((file) => [file.id, file.canImport])).toEqual([
    ["pdf", true],
    ["film", true],
    ["doc", true],
    ["form", false],
    ["liar", true],
  ]);
  expect(nextPageToken).toBeNull();
  expect((await ada.client.connections.listDriveFiles({ id, words: "It's" })).files).toHaveLength(1);
  const missing = { code: "not_found", message: "This connection does not exist." };
  await expect(eve.client.connections.listDriveFiles({ id })).rejects.toMatchObject(missing);
  await expect(eve.client.connections.removeConnection({ id })).rejects.toMatchObject(missing);
});

test("a Drive file is stored once like an upload, in pieces if it is large", async () => {
  const { google, api, film, ada } = await aWorld();
  const id = await connect(google, ada);
  const pageId = await aPage(ada);
  const componentId = ulid();
  const asked = { id, driveFileId: "film", componentId, pageId };
  const { component } = await ada.client.connections.importDriveFile(asked);
  expect(component).toMatchObject({ _id: componentId, type: "video", pageId, content: { title: "Lecture 9" } });
  expect(google.ranges).toHaveLength(2);
  if (component.type !== "video") throw new Error("not a video");
  const bytes = await (await ada.client.uploads.getFile({ fileId: component.content.file.id })).bytes();
  expect(Buffer.from(bytes).equals(film)).toBe(true);
  expect(await ada.client.connections.importDriveFile(asked)).toEqual({ component });
  expect((await ada.client.user.getUsage({})).fileUploads).toBe(1);
  const notes = await ada.client.connections.importDriveFile({ id, driveFileId: "doc", componentId: ulid() });
  expect(notes.component).toMatchObject({ type: "image", content: { title: "Notes" } });
  expect(api.clock.now()).toBeGreaterThan(0);
});

test("Drive files must pass the checks of uploads: content, size and daily limit", async () => {
  const { google, ada } = await aWorld("FREE");
  const id = await connect(google, ada);
  const take = (driveFileId: string) =>
    ada.client.connections.importDriveFile({ id, driveFileId, componentId: ulid() });
  await expect(take("liar")).rejects.toMatchObject({ code: "invalid_pdf" });
  google.files.push({ id: "big", name: "Big.pdf", mimeType: "application/pdf", bytes: Buffer.alloc(11 * MB) });
  const before = google.ranges.length;
  await expect(take("big")).rejects.toMatchObject({ code: "too_large" });
  expect(google.ranges).toHaveLength(before);
  await take("pdf");
  await expect(take("doc")).rejects.toMatchObject({ code: "limit_reached" });
  await expect(take("nowhere")).rejects.toMatchObject({ code: "not_found" });
});

test("refreshes expired access, and reports revoked access", async () => {
  const { google, api, ada } = await aWorld();
  const id = await connect(google, ada);
  api.clock.advance(2 * 60 * 60 * 1000);
  expect((await ada.client.connections.listDriveFiles({ id })).files).toHaveLength(5);
  google.revoke();
  const revoked = {
    code: "access_revoked",
    message: "Lamplight no longer has access to this Google Drive. Please connect it again.",
  };
  await expect(ada.client.connections.listDriveFiles({ id })).rejects.toMatchObject(revoked);
  expect((await ada.client.connections.listConnections({})).connections[0]?.is_active).toBe(false);
  await expect(ada.client.connections.listDriveFiles({ id })).rejects.toMatchObject(revoked);
});

test("a removed connection is gone, and connecting again creates exactly one", async () => {
  const { google, ada } = await aWorld();
  const id = await connect(google, ada);
  const again = await connect(google, ada);
  // The older access is not revoked, because that would also end the new access of the same account.
  expect(google.revocations).toBe(0);
  expect((await ada.client.connections.listConnections({})).connections.map(({ _id }) => _id)).toEqual([again]);
  await ada.client.connections.removeConnection({ id: again });
  expect((await ada.client.connections.listConnections({})).connections).toEqual([]);
  await expect(ada.client.connections.removeConnection({ id })).rejects.toMatchObject({ code: "not_found" });
  expect(google.revocations).toBe(1);
});

test("a Drive of another Google account replaces the first one, whose access is revoked", async () => {
  const { google, ada } = await aWorld();
  await connect(google, ada);
  google.account = "grace";
  const second = await connect(google, ada);
  const { connections } = await ada.client.connections.listConnections({});
  expect(connections.map(({ _id, email }) => [_id, email])).toEqual([[second, "grace@gmail.example"]]);
  expect(google.revocations).toBe(1);
  expect((await ada.client.connections.listDriveFiles({ id: second })).files.length).toBeGreaterThan(0);
});
