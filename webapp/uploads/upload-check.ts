import { allowUpload } from "#shared/billing/rules.ts";
import { translateReason } from "#shared/messages/translate.ts";
import { familyOf, judgeFile, judgeVideo, type UploadFamily } from "#shared/pdf/upload-rules.ts";
import type { Usage } from "#shared/user/schema.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import "#webapp/uploads/upload-reasons.ts";
import { loadUsage, ofToday, usageAtom } from "#webapp/user/usage.ts";

/** Enough to detect the type: office formats name their parts within these bytes. */
const HEAD_BYTES = 4100;

/** If it cannot be loaded, the server still enforces the limit; this check only fails earlier. */
async function usageNow(): Promise<Partial<Usage>> {
  await loadUsage();
  return ofToday(store.get(usageAtom), Date.now());
}

type Checked = { problem: string } | { family: UploadFamily; notice: string | null };

/** Runs the server's checks before uploading: the file itself, its size, then the daily quota. */
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
