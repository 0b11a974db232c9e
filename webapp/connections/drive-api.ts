import { ulid } from "ulid";
import { NoResponseError } from "#shared/client/client.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import type { DriveFile } from "#shared/connections/contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component } from "#shared/pages/schema.ts";
import { client } from "#webapp/app/client.ts";
import { loadContent } from "#webapp/library/content.ts";
import { markAccessRevoked } from "./state.ts";

export interface Listing {
  files: readonly DriveFile[];
  nextPageToken: string | null;
}

export type ListingResult = { listing: Listing } | { problem: string };

/** One page of a Drive's files; undefined if the request was aborted. */
export async function listDriveFiles(
  id: string,
  words: string,
  { pageToken, signal }: { pageToken?: string; signal?: AbortSignal } = {},
): Promise<ListingResult | undefined> {
  const input = { id, ...(words.trim() !== "" && { words: words.trim() }), ...(pageToken && { pageToken }) };
  try {
    return { listing: await client.connections.listDriveFiles(input, signal ? { signal } : {}) };
  } catch (error) {
    if (error instanceof NoResponseError && error.reason === "aborted") return undefined;
    return { problem: driveErrorMessage(id, error) };
  }
}

/** Component ids by Drive file. A retry after a lost response sends the same id, so that the file is imported once. */
const components = new Map<string, string>();

export type ImportResult = { component: Component } | { problem: string };

export async function importDriveFile(id: string, driveFileId: string): Promise<ImportResult> {
  const componentId = components.get(driveFileId) ?? ulid();
  components.set(driveFileId, componentId);
  try {
    const { component } = await client.connections.importDriveFile({ id, driveFileId, componentId });
    components.delete(driveFileId);
    void loadContent();
    return { component };
  } catch (error) {
    return { problem: driveErrorMessage(id, error) };
  }
}

/** Drive errors have their own messages. All other errors use the upload messages. */
function driveErrorMessage(id: string, error: unknown): string {
  if (error instanceof Failure && error.code === "access_revoked") markAccessRevoked(id);
  const isDriveError =
    error instanceof Failure && ["access_revoked", "unreachable", "not_found", "not_configured"].includes(error.code);
  return isDriveError ? error.message : (toFailureMessage(error, "upload")?.message ?? t("failures.upload"));
}
