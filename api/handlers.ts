import type { v1 } from "#shared/contract/v1.ts";
import { handlers as admin } from "./admin/handlers.ts";
import { handlers as auth } from "./auth/handlers.ts";
import { handlers as capture } from "./capture/handlers.ts";
import { handlers as connections } from "./connections/handlers.ts";
import { handlers as feedback } from "./feedback/handlers.ts";
import { handlers as flashcards } from "./flashcards/handlers.ts";
import type { Handlers } from "./kit/handler.ts";
import { handlers as library } from "./library/handlers.ts";
import { handlers as pages } from "./pages/handlers.ts";
import { handlers as pdf } from "./pdf/handlers.ts";
import { handlers as sharing } from "./sharing/handlers.ts";
import { handlers as quiz } from "./quiz/handlers.ts";
import { handlers as study } from "./study/handlers.ts";
import { handlers as sync } from "./sync/handlers.ts";
import { handlers as tutor } from "./tutor/handlers.ts";
import { handlers as user } from "./user/handlers.ts";
import { handlers as video } from "./video/handlers.ts";

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
