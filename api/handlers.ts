import { handlers as admin } from "./admin/handlers.ts";
import { handlers as auth } from "./auth/handlers.ts";
import { handlers as pages } from "./pages/handlers.ts";
import { handlers as pdf } from "./pdf/handlers.ts";
import { handlers as study } from "./study/handlers.ts";
import { handlers as sync } from "./sync/handlers.ts";
import { handlers as user } from "./user/handlers.ts";

/** Who answers for each feature of the contract. */
export const handlers = { admin, auth, pages, pdf, study, sync, user };
