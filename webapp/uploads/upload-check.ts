import { decideUpload } from "#shared/billing/rules.ts";
import { translateReason } from "#shared/messages/translate.ts";
import { familyOf, classifyFile, classifyVideo, type UploadFamily } from "#shared/uploads/rules.ts";
import type { Usage } from "#shared/user/schema.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import "./add-upload-reasons.ts";
import { loadUsage, todaysUsage, usageAtom } from "#webapp/user/usage.ts";

/** Enough bytes to detect the type, because office formats name their parts within them. */
const HEAD_BYTES = 4100;

/** Today's usage; empty if it cannot be loaded. The server enforces the limit in any case. */
async function loadTodaysUsage(): Promise<Partial<Usage>> {
  await loadUsage();
  return todaysUsage(store.get(usageAtom), Date.now());
}

type UploadCheck = { problem: string } | { family: UploadFamily; notice: string | null };

/** Runs the server's checks before uploading: the file itself, its size, then the daily quota. */
export async function checkUpload(file: File): Promise<UploadCheck> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const judge = familyOf(file) === "video" ? classifyVideo : classifyFile;
  const verdict = judge({ name: file.name, type: file.type, sizeBytes: file.size, head });
  if (!verdict.ok) return { problem: translateReason(verdict.why) };
  const { countsAgainstDay, family } = verdict.type;
  const allowed = decideUpload({
    plan: store.get(userAtom)?.plan,
    usage: countsAgainstDay ? await loadTodaysUsage() : {},
    now: Date.now(),
    sizeBytes: file.size,
    countsAgainstDay,
  });
  if (allowed.outcome === "refused") return { problem: translateReason(allowed.why) };
  return { family, notice: allowed.outcome === "approaching_limit" ? translateReason(allowed.why) : null };
}
