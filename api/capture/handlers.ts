import type { capture } from "#shared/capture/contract.ts";
import { CaptureRecord } from "#shared/capture/schema.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Handlers } from "#api/http/handler.ts";
import { listCaptures, saveCapture } from "./store.ts";

const PAGE_SIZE = 1000;

export const handlers: Handlers<typeof capture> = {
  async saveCaptures({ own, caller, clock }, { accountId, captures }) {
    if (accountId !== caller.userId) throw new Failure("forbidden", "captures_of_other_account");
    const now = clock.now();
    // Each record gets a unique time, so that paging can continue after any of them.
    for (const [index, record] of captures.entries()) await saveCapture(own, record, now * 1000 + index);
    return { success: true };
  },

  async listCaptures({ own }, { after }) {
    const found = await listCaptures(own, after, PAGE_SIZE);
    const upTo = found.at(-1)?.savedAt ?? after;
    const next = found.length === PAGE_SIZE ? upTo : null;
    return { captures: found.map((doc) => CaptureRecord.parse(doc)), next, upTo };
  },
};
