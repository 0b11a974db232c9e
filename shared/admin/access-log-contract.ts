import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { PageCursor } from "./instance-contract.ts";

/** An administrator read something that the student shared, or a logged prompt. At most one a day for each target. */
const AdminAccess = z.object({
  _id: z.string(),
  at: z.number(),
  kind: z.enum(["shared_answer", "shared_card", "shared_completion", "logged_answer"]),
  /** The address of the administrator. */
  adminEmail: z.string(),
});
export type AdminAccess = z.infer<typeof AdminAccess>;

export const accesses = {
  listAccesses: json({
    method: "GET",
    path: "/v1/user/admin_accesses",
    access: "user",
    summary: "When administrators read something of the caller, the newest first",
    input: PageCursor,
    output: z.object({ accesses: z.array(AdminAccess), next: z.string().nullable() }),
    fails: ["bad_input"],
  }),
};
