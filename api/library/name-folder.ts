import { Failure } from "#shared/contract/failure.ts";
import { proposeFolderTitle } from "#shared/library/folder-title.ts";
import type { UserCtx } from "#api/http/handler.ts";
import { listOverview } from "#api/pages/overview.ts";
import type { Own } from "#api/store/owned-store.ts";
import { findFolder, listFolders, saveProposedTitle, type FolderDoc } from "./store.ts";

interface Request {
  folderId: string;
  /** Replaces the present title too. */
  force: boolean;
}

/** Names a folder after its content, once, and returns its title. */
export async function nameFolder({ own, clock }: UserCtx, { folderId, force }: Request): Promise<string> {
  const folder = await findFolder(own, folderId);
  if (!folder) throw new Failure("not_found", "no_folder");
  // Keep a title that was generated or typed.
  if (!force && (folder.namedAt !== null || folder.title.trim() !== "")) return folder.title;
  const title = proposeFolderTitle(await listTitlesIn(own, folder));
  if (title === "") throw new Failure("bad_input", "folder_without_content");
  await saveProposedTitle(own, folderId, title, clock.now());
  return title;
}

async function listTitlesIn(own: Own, folder: FolderDoc): Promise<string[]> {
  const [{ pages, components }, folders] = await Promise.all([listOverview(own), listFolders(own)]);
  const titles = new Map([...pages, ...components, ...folders].map(({ _id, title }) => [_id, title]));
  const ids = new Set(folder.items.map(({ item_id }) => item_id));
  const onPages = components.filter(({ pageId }) => ids.has(pageId)).map(({ title }) => title);
  const listed = folder.items.flatMap(({ item_id }) => titles.get(item_id) ?? []);
  return [...listed, ...onPages].filter((title) => title.trim() !== "");
}
