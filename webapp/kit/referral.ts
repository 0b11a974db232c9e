import { readLocal, writeLocal } from "./local.ts";

const KEY = "referral_code";
const LONGEST = 120;

/** Keeps the code of an invitation link until its visitor makes an account. */
export function keepReferral(search: string): void {
  const code = new URLSearchParams(search).get("ref");
  if (code) writeLocal(KEY, code.slice(0, LONGEST));
}

export function readReferral(): string | undefined {
  return readLocal(KEY) ?? undefined;
}
