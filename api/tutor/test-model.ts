import { performance } from "node:perf_hooks";
import { Failure } from "#shared/contract/failure.ts";
import { passagesFromText } from "#shared/text/plain-text.ts";
import type { Models } from "#api/ai/port.ts";

/** Written for this program: long enough for some cards, with definitions, a cause, figures and a sequence. */
const TEST_PASSAGE = `# Glaciers

A **glacier** is a body of ice that moves slowly under its own weight. It forms where more snow falls in winter than melts in summer. Over about a hundred years, the weight of new snow presses the lower layers into **firn**, which is granular snow, and then into ice.

Because the pressure lowers the melting point, a thin film of water lies under many glaciers. This film lets the ice slide over the rock, a process called **basal sliding**. Most valley glaciers move less than one metre a day.

The upper part of a glacier, where it gains ice, is called the **accumulation zone**. The lower part, where it loses ice, is the **ablation zone**. The line between them moves up the valley when summers become warmer.`;

interface ModelTest {
  cards: { question: string; answer: string }[];
  /** Cards that the model wrote and a gate dropped. */
  rejected: number;
  durationMs: number;
}

/** Makes cards of the built-in passage. No text of an account is sent. */
export async function testModel(models: Models, modelId: string, signal: AbortSignal): Promise<ModelTest> {
  const model = await models.choose(modelId);
  if (!model) throw new Failure("not_found", "model_gone");
  const startedAt = performance.now();
  const result: ModelTest = { cards: [], rejected: 0, durationMs: 0 };
  const passages = passagesFromText(TEST_PASSAGE);
  for await (const event of model.generateCards({ passages, options: { density: "MEDIUM" }, existing: [], signal })) {
    if (event.type === "card") result.cards.push({ question: event.card.question, answer: event.card.answer });
    if (event.type === "gates") result.rejected = Object.values(event.rejected).reduce((sum, count) => sum + count, 0);
  }
  result.durationMs = Math.round(performance.now() - startedAt);
  return result;
}
