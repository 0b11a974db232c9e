import { readLocal } from "../browser/local-storage.ts";

/** The code of the visitor's invitation link, stored by `boot.js`. */
export function readReferral(): string | undefined {
  return readLocal("referral_code") ?? undefined;
}
