import { reasonsAccount } from "./reasons-account.ts";
import { reasonsBilling } from "./reasons-billing.ts";
import { reasonsCalls } from "./reasons-calls.ts";
import { reasonsPages } from "./reasons-pages.ts";
import { reasonsUploads } from "./reasons-uploads.ts";
import { reasonsCards } from "./reasons-cards.ts";
import { reasonsDocuments } from "./reasons-documents.ts";
import { reasonsVideos } from "./reasons-videos.ts";
import { reasonsTutor } from "./reasons-tutor.ts";
import { reasonsPodcasts } from "./reasons-podcasts.ts";
import { reasonsResearch } from "./reasons-research.ts";
import { reasonsReferences } from "./reasons-references.ts";
import { reasonsConnections } from "./reasons-connections.ts";
import { reasonsWebsite } from "./reasons-website.ts";

/** Why a call, a file or a job failed, by key: what a `Failure` carries. German has the same keys and placeholders. */
export const reasons = {
  ...reasonsAccount,
  ...reasonsBilling,
  ...reasonsCalls,
  ...reasonsPages,
  ...reasonsUploads,
  ...reasonsCards,
  ...reasonsDocuments,
  ...reasonsVideos,
  ...reasonsTutor,
  ...reasonsResearch,
  ...reasonsConnections,
  ...reasonsReferences,
  ...reasonsPodcasts,
  ...reasonsWebsite,
} as const;
