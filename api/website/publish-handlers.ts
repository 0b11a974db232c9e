import { Failure } from "#shared/contract/failure.ts";
import type { Share } from "#shared/sharing/schema.ts";
import type { website } from "#shared/website/contract.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { releaseStorage } from "#api/blobs/storage-quota.ts";
import { readProjectFiles, readSiteDocument, requireProject } from "./project-files.ts";
import { presentState, previewKey } from "./site-state.ts";
import { sumProjectBytes } from "./site-texts.ts";
import { patchProject, removeProject } from "./store.ts";

/** Functions of the sharing feature that make and end the link of a project. */
interface PublishPort {
  saveShare: (ctx: UserCtx, projectId: string) => Promise<Share>;
  endShare: (ctx: UserCtx, projectId: string) => Promise<void>;
}

export type PublishHandlers = Pick<Handlers<typeof website>, "publishSite" | "unpublishSite" | "deleteProject">;

/** Handlers that make or end the link of a project. */
export const createPublishHandlers = ({ saveShare, endShare }: PublishPort): PublishHandlers => ({
  async publishSite(ctx, { id }) {
    const { own, clock, previews } = ctx;
    const project = await requireProject(own, id);
    const files = await readProjectFiles(own, project);
    const title = readSiteDocument(files)?.title ?? project.name;
    if ((await previews.check({ title, files })).length > 0) throw new Failure("bad_input", "site_does_not_build");
    const published = { checkpointId: project.checkpointId, title, publishedAt: clock.now() };
    const changed = (await patchProject(own, id, { published })) ?? project;
    const share = await saveShare(ctx, id);
    return { state: await presentState(ctx, changed), share };
  },

  async unpublishSite(ctx, { id }) {
    const project = await requireProject(ctx.own, id);
    await endShare(ctx, id);
    return presentState(ctx, (await patchProject(ctx.own, id, { published: null })) ?? project);
  },

  async deleteProject(ctx, { id }) {
    const project = await requireProject(ctx.own, id);
    ctx.previews.stop(previewKey(project));
    await endShare(ctx, id);
    const bytes = await sumProjectBytes(ctx.own, id);
    await removeProject(ctx.own, id);
    await releaseStorage(ctx.own, bytes);
    return { success: true as const };
  },
});
