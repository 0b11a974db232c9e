import { createClient } from "#shared/client/client.ts";
import { admin } from "#shared/admin/contract.ts";
import { sendCall } from "./client.ts";

/** The client of the admin endpoints. It is separate so that only the admin screens load their schemas. */
export const { admin: adminClient } = createClient({ admin }, sendCall);
