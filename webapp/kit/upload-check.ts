import { allowUpload } from "#shared/billing/rules.ts";
import { translateReason } from "#shared/messages/translate.ts";
import { familyOf, judgeFile, judgeVideo, type UploadFamily } from "#shared/pdf/upload-rules.ts";
import type { Usage } from "#shared/user/schema.ts";
import { userAtom } from "./session.ts";
import { store } from "./store.ts";
import "./upload-reasons.ts";
import { loadUsage, ofToday, usageAtom } from "./usage.ts";

/** What tells a type: the office formats name their parts within this. */
const HEAD_BYTES = 4100;

/** Where it cannot be loaded, the server counts anyway: this only tells sooner. */
async function usageNow(): Promise<Partial<Usage>> {
  await loadUsage();
  return ofToday(store.get(usageAtom), Date.now());
}

type Checked = { problem: string } | { family: UploadFamily; notice: string | null };

/** Says before anything is sent what the server would say after: the file itself, its size, then the day's uploads. */
export async function checkUpload(file: File): Promise<Checked> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const judge = familyOf(file) === "video" ? judgeVideo : judgeFile;
  const verdict = judge({ name: file.name, type: file.type, sizeBytes: file.size, head });
  if (!verdict.ok) return { problem: translateReason(verdict.why) };
  const { countsAgainstDay, family } = verdict.type;
  const allowed = allowUpload({
    plan: store.get(userAtom)?.plan,
    usage: countsAgainstDay ? await usageNow() : {},
    now: Date.now(),
    sizeBytes: file.size,
    countsAgainstDay,
  });
  if (allowed.outcome === "refused") return { problem: translateReason(allowed.why) };
  return { family, notice: allowed.outcome === "approaching_limit" ? translateReason(allowed.why) : null };
}
