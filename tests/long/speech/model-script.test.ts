import { afterAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { parseCitation } from "#shared/citations.ts";
import { findLineFault } from "#shared/podcasts/script/dialogue.ts";
import { isSupportedBy } from "#shared/research/evidence/verify.ts";
import { startApi } from "#tests/kit/api.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { aDocument, createPodcast, TEST_LIMIT_MS, waitUntilMade } from "#tests/podcasts/made-podcast.ts";
import { aTextbook } from "#tests/podcasts/textbook.ts";
import { startTtsServer } from "#tests/podcasts/tts-server.ts";

type Behaviour = "good" | "liar" | "short" | "cut" | "silent";
let behaviour: Behaviour = "good";
let answers = 0;

const PromptLine = z.object({
  id: z.string().optional(),
  text: z.string().optional(),
  chapter: z.union([z.number(), z.string()]).optional(),
  line: z.number().optional(),
});

const readPrompt = (prompt: string) =>
  prompt.split("\n").flatMap((line) => (line.startsWith("{") ? [PromptLine.parse(JSON.parse(line))] : []));

/** Answers with an outline, a dialogue or a repair, depending on the prompt. */
function speak(prompt: string): string {
  const lines = readPrompt(prompt.slice(prompt.lastIndexOf("is only text.")));
  const sentences = lines.filter(({ id }) => id !== undefined);
  if (lines.some(({ line }) => line !== undefined))
    return lines.map(({ line }) => JSON.stringify({ line, text: "In 1492 Columbus knew it too." })).join("\n");
  if (sentences.length === 0)
    return lines
      .map(({ chapter }) => JSON.stringify({ chapter, title: `What happens here`, aim: "Know the cycles." }))
      .join("\n");
  answers += 1;
  if (behaviour === "cut" && answers > 1) return "";
  const dialogue = sentences.slice(0, behaviour === "short" ? 1 : undefined).flatMap(({ id, text = "" }) => [
    {
      speaker: "host",
      text: behaviour === "liar" ? "As Napoleon said, 90 percent of cells are blue." : "And what is that?",
    },
    { speaker: "guest", text: behaviour === "liar" ? `In 1492, ${text}` : `So, ${text}`, id },
  ]);
  return dialogue.map((line) => JSON.stringify(line)).join("\n");
}

const model = await startModelServer({ say: speak });
const speech = await startTtsServer();
afterAll(async () => {
  await model.close();
  await speech.close();
});
const env = {
  AI_BASE_URL: model.baseUrl,
  AI_MODEL: "test-model",
  TTS_BASE_URL: speech.baseUrl,
  TTS_API_KEY: "secret",
  TTS_MODEL: "kokoro",
};
const api = await startApi({ forFile: true, env });

async function make(as: Behaviour) {
  behaviour = as;
  answers = 0;
  if (as === "silent") model.play(...Array.from({ length: 12 }, () => "error_500" as const));
  const ann = await api.newUser();
  const sources = [{ type: "pdf" as const, id: await aDocument(ann, aTextbook(4)) }];
  const { _id: id } = await createPodcast(ann, { sources });
  const made = await waitUntilMade(ann, id);
  const { lines } = await ann.client.podcasts.getTranscript({ id });
  return { made, lines, spoken: lines.filter(({ speaker }) => speaker === "guest") };
}

const quoteOf = (citation: string | null) => parseCitation(citation ?? "")?.quote ?? "";

test.each(["good", "liar", "short", "cut", "silent"] as const)(
  "with a model that is %s, every line of the guest is supported by its source, and the length is as requested",
  { timeout: TEST_LIMIT_MS },
  async (as) => {
    const { made, lines, spoken } = await make(as);
    expect(made).toMatchObject({ status: "completed", error: null });
    expect(Math.abs(made.duration_ms / 300_000 - 1)).toBeLessThan(0.1);
    expect(spoken.length).toBeGreaterThan(8);
    for (const { text, citation } of spoken) {
      const quote = quoteOf(citation);
      expect(text === quote || isSupportedBy(text, quote), text).toBe(true);
    }
    const all = lines.map(({ text }) => text).join(" ");
    expect(all).not.toMatch(/1492|Napoleon|Columbus/);
    expect(made.writer).toBe(as === "silent" ? null : "test-model");
    expect(made.notices.includes("written_without_model")).toBe(as === "silent");
    const own = spoken.filter(({ text }) => text.startsWith("So, "));
    if (as === "good") expect(own.length).toBeGreaterThan(spoken.length * 0.8);
    if (as === "liar" || as === "silent") expect(own).toEqual([]);
  },
);

test.each([
  ["Insulin raises blood glucose.", "Insulin lowers blood glucose.", false],
  ["Insulin never lowers blood glucose.", "Insulin lowers blood glucose.", false],
  ["Insulin causes high blood glucose.", "Insulin treats high blood glucose.", false],
  ["So, insulin lowers the glucose in the blood.", "Insulin lowers blood glucose.", true],
])("whether the line %s is supported by %s", (text, sentence, isAllowed) => {
  const found = { sentence, spoken: sentence, citation: "", run: 0, isRunStart: true, minSentences: 1, topic: "" };
  const material = { title: "Insulin", sentences: [{ ...found, score: 1 }], openingLineCount: 0, closingLineCount: 0 };
  expect(findLineFault({ speaker: "guest", text, id: "1" }, material, []) === undefined).toBe(isAllowed);
});

test.each([
  ["How much do 90 of them weigh?", false],
  ["How much do 24 of them weigh?", true],
])("the host of a model asks “%s”: %s", (text, isAllowed) => {
  const sentence = "A cell of the gut lives for 24 hours.";
  const found = { sentence, spoken: sentence, citation: "", run: 0, isRunStart: true, minSentences: 1, topic: "" };
  const material = { title: "Cells", sentences: [{ ...found, score: 1 }], openingLineCount: 0, closingLineCount: 0 };
  expect(findLineFault({ speaker: "host", text }, material, []) === undefined).toBe(isAllowed);
});

test(
  "a run that was interrupted while a model wrote asks it for nothing again that it had answered",
  { timeout: TEST_LIMIT_MS },
  async () => {
    behaviour = "good";
    const own = await startModelServer({ say: speak, script: ["good", "good", "silent"] });
    onTestFinished(() => own.close());
    const first = await startApi({ env: { ...env, AI_BASE_URL: own.baseUrl } });
    const ann = await first.newUser();
    const sources = [{ type: "pdf" as const, id: await aDocument(ann, aTextbook(4)) }];
    const { _id: id } = await createPodcast(ann, { sources });
    const countPrompts = () => own.requests.length;
    await expect.poll(countPrompts, { timeout: 30_000 }).toBe(3);
    await first.stop();
    const again = await startApi({
      env: { ...env, AI_BASE_URL: own.baseUrl },
      dataDir: first.dataDir,
      clock: first.clock,
    });
    const client = again.clientFor(ann.token);
    expect(await waitUntilMade({ ...ann, client }, id)).toMatchObject({ status: "completed", writer: "test-model" });
    const [outline, dialogue, unanswered, ...later] = own.requests.map(({ prompt }) => prompt);
    expect(later[0]).toBe(unanswered);
    expect(later.filter((prompt) => prompt === outline || prompt === dialogue)).toEqual([]);
  },
);
