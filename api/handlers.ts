import type { v1 } from "#shared/contract/v1.ts";
import { handlers as admin } from "#api/admin/handlers.ts";
import { handlers as auth } from "#api/auth/handlers.ts";
import { handlers as capture } from "#api/capture/handlers.ts";
import { handlers as connections } from "#api/connections/handlers.ts";
import { handlers as feedback } from "#api/feedback/handlers.ts";
import { handlers as flashcards } from "#api/flashcards/handlers.ts";
import type { Handlers } from "#api/http/handler.ts";
import { handlers as library } from "#api/library/handlers.ts";
import { handlers as pages } from "#api/pages/handlers.ts";
import { handlers as pdf } from "#api/pdf/handlers.ts";
import { handlers as sharing } from "#api/sharing/handlers.ts";
import { handlers as quiz } from "#api/quiz/handlers.ts";
import { handlers as study } from "#api/study/handlers.ts";
import { handlers as sync } from "#api/sync/handlers.ts";
import { handlers as tutor } from "#api/tutor/handlers.ts";
import { handlers as user } from "#api/user/handlers.ts";
import { handlers as video } from "#api/video/handlers.ts";

/** The handlers of each feature in the contract. */
export const handlers: { [F in keyof typeof v1]: Handlers<(typeof v1)[F]> } = {
  admin,
  auth,
  capture,
  connections,
  feedback,
  flashcards,
  library,
  pages,
  pdf,
  sharing,
  quiz,
  study,
  sync,
  tutor,
  user,
  video,
};
