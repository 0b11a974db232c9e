import { onTestFinished } from "vitest";
import type { GenerationEvent } from "#shared/flashcards/schema.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { aDeck, aPage } from "#tests/store/changes.ts";
import { startModelServer, type Turn } from "#tests/kit/servers/model-server.ts";

const definitions = [
  "The **nucleus** is the organelle that holds the chromosomes of the cell.",
  "A **mitochondrion** is an organelle that releases energy from glucose.",
  "**Ribosomes** are small particles that assemble proteins from amino acids.",
  "The **cell membrane** is a thin layer that separates the cytoplasm from the surroundings.",
  "**Lysosomes** are vesicles that digest worn parts with strong enzymes.",
];
/** Five definitions under one heading. */
export const notes = `# The cell\n\n${definitions.join(" ")}\n`;

/** A different word for each number that looks like the name of a substance. */
const substance = (i: number) =>
  ["bra", "cel", "dor", "fem", "gal", "hin", "jor", "kel", "lum", "mer"][i % 10] +
  (["van", "tos", "rin", "pel", "nam", "lid", "kor"][Math.floor(i / 10) % 7] ?? "") +
  (i % 2 === 0 ? "ine" : "ose");
/** Ten sections of six definitions each. */
export const longNotes = Array.from({ length: 10 }, (_, part) => {
  const own = Array.from({ length: 6 }, (__, i) => {
    const n = part * 6 + i;
    return `The **${substance(n)}** is a substance that binds ${substance(n + 7)} to ${substance(69 - n)}.`;
  });
  return `# Section ${part}\n\n${own.join(" ")}\n`;
}).join("\n");

/** An empty deck on a page of its own. */
export async function aTarget(user: TestUser) {
  const pageId = await aPage(user);
  return { pageId, componentId: await aDeck(user, pageId, []) };
}

export async function cardsIn(user: TestUser, { componentId }: { componentId: string }) {
  const { component } = await user.client.pages.getComponent({ id: componentId });
  if (component.type !== "flash_cards") throw new Error("not a deck");
  return component.content.cards;
}

/** A model server that follows this script, and the settings to use it. */
export async function aModelServer(...script: Turn[]) {
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  return { server, env: { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model", AI_API_KEY: "sk-test" } };
}

export async function allOf(events: AsyncGenerator<GenerationEvent>) {
  const seen: GenerationEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

/** Starts a generation and stops following it; resolves to the job's id, or "" if the first event was a different one. */
export async function beginGeneration(user: TestUser): Promise<string> {
  const events = user.client.flashcards.generateCards.stream({ texts: [notes] }, []);
  const { value } = await events.next();
  await events.return(undefined);
  return value?.type === "started" ? value.jobId : "";
}

/** Cancels all generations that a test started. */
export async function cancelGenerations({ client }: TestUser): Promise<void> {
  const { generations } = await client.flashcards.listGenerations({});
  for (const { jobId } of generations) await client.flashcards.cancelGeneration({ jobId });
}
