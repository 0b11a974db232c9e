import { admin } from "#shared/admin/contract.ts";
import { marketing } from "#shared/marketing/contract.ts";
import { memberTable } from "./member-table.ts";

/** The endpoint table. Routes, client, access checks, parsing and API documentation are generated from it. */
export const v1 = { ...memberTable, admin, marketing };
