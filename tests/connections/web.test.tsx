// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Connection, DriveFile } from "#shared/connections/contract.ts";
import type { Component } from "#shared/pages/schema.ts";
import { type Answers, asAdmin, noNetwork, openApp, refuse } from "#tests/kit/browser/web.tsx";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { setAssignLocation } from "#webapp/app/navigation.ts";

const drive: Connection = {
  _id: "conn",
  connection_type: "google_drive",
  is_active: true,
  email: "ada@gmail.example",
  createdAt: 0,
};
const aFile = (id: string, more: Partial<DriveFile> = {}): DriveFile => ({
  id,
  name: `${id}.pdf`,
  mimeType: "application/pdf",
  sizeBytes: 2_500_000,
  modifiedAt: null,
  canImport: true,
  ...more,
});
const isConfigured = { google: { isConfigured: true, missing: [] } };
const importedFile: Component = {
  _id: "01JDFILE000000000000000001",
  type: "image",
  pageId: "page",
  createdAt: 0,
  modifiedAt: 0,
  createdBy: "ada",
  lastOpenedAt: null,
  version: 1,
  content: {
    file: { id: "abc.pdf", name: "notes.pdf" },
    url: "/v1/files/abc.pdf",
    isArchived: false,
    archivedAt: null,
    thumbnail: null,
    title: "notes",
  },
};

type Connections = NonNullable<Answers["connections"]>;
const withDrive = (more: Connections = {}): Answers => ({
  connections: {
    listConnections: () => ({ connections: [drive] }),
    getConnectionSettings: () => isConfigured,
    listDriveFiles: () => ({ files: [aFile("notes"), aFile("form", { canImport: false })], nextPageToken: null }),
    importDriveFile: () => ({ component: importedFile }),
    removeConnection: () => ({ success: true }),
    ...more,
  },
});
const withoutDrive = (more: Connections = {}) => withDrive({ listConnections: () => ({ connections: [] }), ...more });

test("a file of a connected Drive can be imported from its row and opened at once", async () => {
  await openApp("/connections", { signedIn: true, answers: withDrive() });
  expect(await screen.findByText("Connected as ada@gmail.example")).toBeTruthy();
  expect(await screen.findByText("This file type can't be imported")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Import form.pdf" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Import notes.pdf" }));
  expect(await screen.findByText("Imported.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open notes.pdf" }).getAttribute("href")).toBe(`/pdf/${importedFile._id}`);
});

test("a refused file shows the reason in its row, and retrying continues the same upload", async () => {
  const asked: unknown[] = [];
  const importDriveFile = (sent: Readonly<Record<string, unknown>>) => {
    asked.push(sent["componentId"]);
    return asked.length === 1 ? noNetwork() : refuse("limit_reached", "You've used all 1 uploads today.");
  };
  await openApp("/connections", { signedIn: true, answers: withDrive({ importDriveFile }) });
  const button = await screen.findByRole("button", { name: "Import notes.pdf" });
  await userEvent.click(button);
  expect(await screen.findByText(/^Couldn't connect to the server\./)).toBeTruthy();
  await userEvent.click(button);
  expect(await screen.findByText("You've used all 1 uploads today.")).toBeTruthy();
  expect(asked[0]).toBe(asked[1]);
});

const listDriveFiles = ({ words, pageToken }: Readonly<Record<string, unknown>>) => {
  if (words === "mole") return { files: [aFile("molecules")], nextPageToken: null };
  return pageToken === "two"
    ? { files: [aFile("second")], nextPageToken: null }
    : { files: [aFile("first")], nextPageToken: "two" };
};

test("more files of an earlier search do not appear among those of another search", async () => {
  const more = createDeferred<ReturnType<typeof listDriveFiles>>();
  const listSlowly: Connections["listDriveFiles"] = (sent) =>
    sent["pageToken"] === "two" ? more.promise : listDriveFiles(sent);
  await openApp("/connections", { signedIn: true, answers: withDrive({ listDriveFiles: listSlowly }) });
  await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
  await userEvent.type(screen.getByRole("searchbox", { name: "Search Google Drive by name" }), "mole");
  await screen.findByText("molecules.pdf");
  await act(async () => more.resolve(listDriveFiles({ pageToken: "two" })));
  expect(screen.queryByText("second.pdf")).toBeNull();
  screen.getByText("molecules.pdf");
});

test("files can be searched, and more are loaded on request", async () => {
  await openApp("/connections", { signedIn: true, answers: withDrive({ listDriveFiles }) });
  await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
  expect(await screen.findByText("second.pdf")).toBeTruthy();
  expect(screen.getByText("first.pdf")).toBeTruthy();
  await userEvent.type(screen.getByRole("searchbox", { name: "Search Google Drive by name" }), "mole");
  expect(await screen.findByText("molecules.pdf")).toBeTruthy();
  expect(screen.queryByText("first.pdf")).toBeNull();
});

test("connecting redirects to Google; if that fails, the specification's message is shown", async () => {
  const left: string[] = [];
  setAssignLocation((address) => void left.push(address));
  let isUp = false;
  const startGoogleDrive = () =>
    isUp ? { authUrl: "https://accounts.example/auth?x=1" } : refuse("unreachable", "Google could not be reached.");
  await openApp("/connections", { signedIn: true, answers: withoutDrive({ startGoogleDrive }) });
  const connect = await screen.findByRole("button", { name: "Connect Google Drive" });
  await userEvent.click(connect);
  expect(await screen.findByText("Failed to initiate Google Drive OAuth. Please try again.")).toBeTruthy();
  isUp = true;
  await userEvent.click(connect);
  await waitFor(() => expect(left).toEqual(["https://accounts.example/auth?x=1"]));
});

test("disconnecting removes the Drive from the screen; if it fails, the Drive stays and a notice is shown", async () => {
  let isUp = false;
  const removeConnection = () => (isUp ? { success: true as const } : refuse("broken", ""));
  await openApp("/connections", { signedIn: true, answers: withDrive({ removeConnection }) });
  const button = await screen.findByRole("button", { name: "Disconnect Google Drive" });
  await userEvent.click(button);
  expect(await screen.findByText("Failed to disconnect Google Drive. Please try again.")).toBeTruthy();
  isUp = true;
  await userEvent.click(button);
  expect(await screen.findByRole("button", { name: "Connect Google Drive" })).toBeTruthy();
  expect(screen.queryByText("Connected as ada@gmail.example")).toBeNull();
});

test("access revoked at Google is shown, with the offer to connect again", async () => {
  await openApp("/connections", {
    signedIn: true,
    answers: withDrive({
      listDriveFiles: () =>
        refuse("access_revoked", "Google no longer allows access to this Drive. Please connect it again."),
    }),
  });
  expect(await screen.findByRole("button", { name: "Reconnect" })).toBeTruthy();
  expect(screen.getByText(/^Google no longer allows access\./)).toBeTruthy();
});

const unset = withoutDrive({
  getConnectionSettings: () => ({
    google: { isConfigured: false, missing: ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"] },
  }),
});

test("without the server's settings, students are referred to the administrator and see no button", async () => {
  await openApp("/connections", { signedIn: true, answers: unset });
  expect(await screen.findByText(/Ask your administrator to set it up/)).toBeTruthy();
  expect(await screen.findByText(/Ask your administrator if you want to use Google Calendar/)).toBeTruthy();
  expect(screen.queryByText(/GOOGLE_CLIENT_ID/)).toBeNull();
  expect(screen.queryByRole("button", { name: "Connect Google Drive" })).toBeNull();
});

test("administrators see which settings are missing", async () => {
  await openApp("/connections", { signedIn: true, answers: { ...unset, auth: asAdmin } });
  const words = await screen.findAllByText(/set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET on the server/);
  expect(words).toHaveLength(2);
  expect(screen.queryByText(/Ask your administrator/)).toBeNull();
});

test.each([
  ["without a network", noNetwork, "You are offline"],
  ["when the server fails", () => refuse("broken", ""), "Your connections could not be loaded"],
])("%s the screen shows a message", async (_when, listConnections, words) => {
  await openApp("/connections", { signedIn: true, answers: withDrive({ listConnections }) });
  expect(await screen.findByText(words)).toBeTruthy();
});

test("Google's response is sent once, and then the files are listed", async () => {
  const sent: unknown[] = [];
  const finishGoogle = (response: unknown) => {
    sent.push(response);
    return { connection: drive };
  };
  const { address } = await openApp("/oauth/google/callback?code=c0de&state=drive.abc", {
    signedIn: true,
    answers: withDrive({ finishGoogle }),
  });
  expect(await screen.findByRole("button", { name: "Import notes.pdf" })).toBeTruthy();
  expect(address()).toBe("/connections");
  expect(sent).toEqual([{ code: "c0de", state: "drive.abc" }]);
});

test.each([
  ["error=access_denied&state=drive.abc", "You didn't allow access. Nothing was connected."],
  ["state=drive.abc", "This link from Google has expired. Please connect again."],
  ["code=old&state=drive.abc", "This link from Google has expired. Please connect again."],
])("returning from Google with %s shows what happened and a way on", async (query, words) => {
  await openApp(`/oauth/google/callback?${query}`, {
    signedIn: true,
    answers: withDrive({
      finishGoogle: () => refuse("bad_input", "This link from Google has expired. Please connect again."),
    }),
  });
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go to connections" })).toBeTruthy();
});

test("extensions that could not be listed are shown as a failure, and are listed on a retry", async () => {
  const extensions = [{ _id: "ext", name: "Firefox on Linux", createdAt: 0 }];
  let isUp = false;
  const listExtensions = () => (isUp ? { extensions } : refuse("broken", ""));
  await openApp("/connections", { signedIn: true, answers: withDrive({ listExtensions }) });
  const section = within(await screen.findByRole("region", { name: "Browser extension" }));
  await section.findByText("Connected extensions could not be loaded");
  isUp = true;
  await userEvent.click(section.getByRole("button", { name: "Try again" }));
  await section.findByRole("button", { name: "Disconnect Firefox on Linux" });
  expect(section.queryByText("Connected extensions could not be loaded")).toBeNull();
});
