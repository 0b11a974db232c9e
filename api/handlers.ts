import type { v1 } from "#shared/contract/v1.ts";
import { requireOwner } from "#api/auth/sessions.ts";
import type { Share } from "#shared/sharing/schema.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { recordAction } from "#api/admin/audit-log.ts";
import { createHandlers as createAdminHandlers } from "#api/admin/handlers.ts";
import { sendResetLink } from "#api/auth/recovery.ts";
import { handlers as auth } from "#api/auth/handlers.ts";
import { newInviteCode, sendInvite } from "#api/auth/invites.ts";
import { shortInviteCode } from "#shared/auth/contract.ts";
import { handlers as billing } from "#api/billing/handlers.ts";
import { grantPlan } from "#api/billing/grant-plan.ts";
import { endSubscriptions } from "#api/billing/refresh-plan.ts";
import { handlers as capture } from "#api/capture/handlers.ts";
import { handlers as connections } from "#api/connections/handlers.ts";
import { handlers as feedback } from "#api/feedback/handlers.ts";
import { handlers as flashcards } from "#api/flashcards/handlers.ts";
import { createFavoriteHandlers } from "#api/library/favorites.ts";
import { createSearchHandler, handlers as library } from "#api/library/handlers.ts";
import { handlers as marketing } from "#api/marketing/handlers.ts";
import { searchOwnPages } from "#api/library/search-own-pages.ts";
import { createCompletionHandlers } from "#api/pages/complete-text.ts";
import { createContentHandler, handlers as pages } from "#api/pages/handlers.ts";
import { listDigests } from "#api/pages/page-digests.ts";
import { readPageTexts } from "#api/pages/markdown/page-texts.ts";
import { findFileComponent } from "#api/pages/uploaded-components.ts";
import { createHandlers as createPdfHandlers } from "#api/pdf/handlers.ts";
import { handlers as podcasts } from "#api/podcasts/handlers.ts";
import { presentPodcast } from "#api/podcasts/present.ts";
import { listPodcasts } from "#api/podcasts/store.ts";
import { searchCanvases } from "#api/research/canvas-index.ts";
import { createSharedResearchHandlers, handlers as research } from "#api/research/handlers.ts";
import { listAllResearch, presentResearchItem } from "#api/research/store.ts";
import { handlers as sharing } from "#api/sharing/handlers.ts";
import { endShare as endSharing, presentShare, saveShare as saveOwnShare } from "#api/sharing/own-shares.ts";
import { findShareOf, shareKey } from "#api/sharing/store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { handlers as quiz } from "#api/quiz/handlers.ts";
import { handlers as study } from "#api/study/handlers.ts";
import { recomputeDays } from "#api/study/service.ts";
import { createHandlers as createSyncHandlers } from "#api/sync/handlers.ts";
import { handlers as tutor } from "#api/tutor/handlers.ts";
import { handlers as uploads } from "#api/uploads/handlers.ts";
import { createDeletionHandlers, scheduleDeletion } from "#api/user/delete-accounts.ts";
import { createExportHandlers } from "#api/user/export-account.ts";
import { handlers as user } from "#api/user/handlers.ts";
import { createImportHandlers } from "#api/user/import-account.ts";
import { createStorageHandlers } from "#api/user/storage.ts";
import { eraseDeletedFiles, sumDeletedFiles } from "#api/library/erase-deleted.ts";
import { handlers as website } from "#api/website/handlers.ts";
import { createPublishHandlers } from "#api/website/publish-handlers.ts";
import { handlers as video } from "#api/video/handlers.ts";
import { applyChanges } from "./sync-dispatcher.ts";

const endShare = async ({ own }: UserCtx, projectId: string): Promise<void> =>
  void (await endSharing(own, shareKey("website_project", projectId)));
const saveShare = async (ctx: UserCtx, projectId: string): Promise<Share> => {
  const target = { type: "website_project" as const, id: projectId };
  const asUnlisted = { visibility: "unlisted", topic: "other", licence: "none" } as const;
  return presentShare(await saveOwnShare(ctx, { ...target, ...asUnlisted, description: "", attribution: "" }));
};
const findShareOwner = async (store: DocumentStore, sessionId: string) =>
  (await findShareOf(store, "research_session", sessionId))?.ownerId;

/**
 * The handlers of each feature in the contract. Where two features need each other, the functions that one of them
 * needs are passed in here.
 */
export const handlers: { [F in keyof typeof v1]: Handlers<(typeof v1)[F]> } = {
  admin: createAdminHandlers({
    requireOwner,
    sendResetLink,
    grantPlan,
    scheduleDeletion: (ctx, own) => scheduleDeletion(ctx, own, endSubscriptions),
  }),
  auth: {
    ...auth,
    async createInvite(ctx, { email }) {
      const code = newInviteCode();
      await recordAction(ctx, "create_invite", shortInviteCode(code));
      return sendInvite(ctx, email, code);
    },
    async removeInvite(ctx, input) {
      await recordAction(ctx, "remove_invite", shortInviteCode(input.id));
      return auth.removeInvite(ctx, input);
    },
  },
  billing,
  capture,
  connections,
  feedback,
  flashcards,
  marketing,
  library: {
    ...library,
    ...createFavoriteHandlers(async (own) => (await listPodcasts(own)).filter((podcast) => !podcast.is_archived)),
    search: createSearchHandler(searchCanvases),
  },
  pages: {
    ...pages,
    ...createCompletionHandlers(searchOwnPages),
    getContent: createContentHandler({
      listPodcasts: async (own) => (await listPodcasts(own)).map(presentPodcast),
      listResearch: async (own) => (await listAllResearch(own)).map(presentResearchItem),
    }),
  },
  pdf: createPdfHandlers(findFileComponent),
  research: { ...research, ...createSharedResearchHandlers(findShareOwner) },
  sharing: {
    ...sharing,
    async dismissReport(ctx, input) {
      await recordAction(ctx, "dismiss_report", input.id);
      return sharing.dismissReport(ctx, input);
    },
    async takeDown(ctx, input) {
      await recordAction(ctx, "take_down_share", input.share);
      return sharing.takeDown(ctx, input);
    },
  },
  quiz,
  study,
  sync: createSyncHandlers({ applyChanges, listDigests }),
  tutor,
  uploads,
  user: {
    ...user,
    ...createExportHandlers(readPageTexts),
    ...createImportHandlers(recomputeDays),
    ...createDeletionHandlers(requireOwner, endSubscriptions),
    ...createStorageHandlers({ eraseDeletedFiles, sumDeletedFiles }),
  },
  video,
  podcasts,
  website: { ...website, ...createPublishHandlers({ endShare, saveShare }) },
};
