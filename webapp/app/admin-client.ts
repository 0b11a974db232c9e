import { createClient } from "#shared/client/client.ts";
import { admin } from "#shared/admin/contract.ts";
import { sendCall } from "./client.ts";

/** The calls of administration, apart from the other calls so that only its screens load their schemas. */
export const { admin: adminClient } = createClient({ admin }, sendCall);
