import type { ResearchRunState } from "#shared/research/schema.ts";
import { sentencesOf } from "#shared/research/canvas.ts";
import type { Own } from "#api/store/owned-store.ts";
import { refundUsage } from "#api/user/service.ts";
import type { ResearchJobInput } from "./run/run-input.ts";
import { publishResearch } from "./erase-session.ts";
import { findResearchContent, patchResearchRun, type ResearchSessionDoc } from "./store.ts";

/**
 * Ends a run, once, and refunds its usage if the run has no verified sentence. In a stopped run, the sentences on the
 * canvas count, because each was verified when it was written.
 */
export async function finishResearchRun(
  own: Own,
  input: Pick<ResearchJobInput, "sessionId" | "runId" | "chargedUsage">,
  run: ResearchRunState,
): Promise<ResearchSessionDoc | undefined> {
  const content = await findResearchContent(own, input.sessionId);
  const prefix = `r${content?.history.filter(({ creator }) => creator === "user").length ?? 0}`;
  const sections = content?.sections.filter(({ id }) => id.startsWith(`${prefix}t`)) ?? [];
  const verified = sentencesOf(sections).filter(({ isSupported }) => isSupported).length;
  const ended = await patchResearchRun(own, input.sessionId, input.runId, { run: { ...run, verified } });
  if (ended && verified === 0) await refundUsage(own, input.chargedUsage);
  if (ended) await publishResearch(own, input.sessionId);
  return ended;
}
