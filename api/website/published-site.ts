import type { Own } from "#api/store/owned-store.ts";
import { buildServed } from "./preview/dev-servers.ts";
import type { ServedFiles } from "./preview/site-page.ts";
import { readFiles } from "./project-files.ts";
import { findCheckpoint, findProject, type PublishedSite } from "./store.ts";

/** The published state of a project; undefined if the project is not published. */
export async function findPublished(own: Own, projectId: string): Promise<PublishedSite | undefined> {
  return (await findProject(own, projectId))?.published ?? undefined;
}

/** Builds a published checkpoint; undefined if it no longer exists or does not build. */
export async function buildPublished(
  own: Own,
  { checkpointId, title }: PublishedSite,
): Promise<ServedFiles | undefined> {
  const checkpoint = await findCheckpoint(own, checkpointId);
  if (!checkpoint) return undefined;
  const built = await buildServed({ title, files: await readFiles(own, checkpoint) });
  return "served" in built ? built.served : undefined;
}
