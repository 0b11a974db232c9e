import { readLocal } from "../browser/local.ts";

/** The code of the invitation link that brought the visitor; `boot.js` keeps it. */
export function readReferral(): string | undefined {
  return readLocal("referral_code") ?? undefined;
}
