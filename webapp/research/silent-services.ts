import { t } from "#shared/messages/translate.ts";
import type { ResearchSession, ResearchTool } from "#shared/research/schema.ts";

/** Whether a search service, or an engine behind it, gave no answer. */
export const hasNoAnswer = ({ status, silentEngines }: ResearchTool): boolean =>
  status === "failed" || silentEngines !== undefined;

const listSearches = ({ tool_instances: tools, run }: ResearchSession) =>
  // The tools of earlier questions are in the list as well.
  tools.filter(({ name, args, started_at }) => name === "search" && args.source && started_at >= run.startedAt);

/** Whether a search found nothing only because engines gave no answer. */
const isOnlySilent = (tool: ResearchTool) => hasNoAnswer(tool) && tool.found === 0;

/** The services of the last question that answered none of its searches; those of a web search with its silent engines. */
export function listSilentServices(session: ResearchSession): string[] {
  const searches = listSearches(session).filter(({ status }) => status !== "running");
  const sources = [...new Set(searches.flatMap(({ args }) => args.source ?? []))];
  return sources.flatMap((source) => {
    const asked = searches.filter(({ args }) => args.source === source);
    if (!asked.every(isOnlySilent)) return [];
    const engines = [...new Set(asked.flatMap(({ silentEngines = [] }) => silentEngines))];
    const name = t(`research.source_${source}`);
    return engines.length > 0 ? `${name} (${engines.join(", ")})` : name;
  });
}
