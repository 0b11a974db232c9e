import { handlers as admin } from "./admin/handlers.ts";
import { handlers as auth } from "./auth/handlers.ts";
import { handlers as flashcards } from "./flashcards/handlers.ts";
import { handlers as pages } from "./pages/handlers.ts";
import { handlers as pdf } from "./pdf/handlers.ts";
import { handlers as sync } from "./sync/handlers.ts";
import { handlers as tutor } from "./tutor/handlers.ts";
import { handlers as user } from "./user/handlers.ts";

/** Who answers for each feature of the contract. */
export const handlers = { admin, auth, flashcards, pages, pdf, sync, tutor, user };
