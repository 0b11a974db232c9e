import { Failure } from "#shared/contract/failure.ts";
import type { Language } from "#shared/messages/language.ts";
import type { EvidencePassage } from "#shared/research/evidence/candidates.ts";
import { findInSnapshot, isSupportedBy } from "#shared/research/evidence/verify.ts";
import type { Model } from "#api/ai/port.ts";
import { writeObjects } from "#api/ai/openai/write-objects.ts";
import { buildFindingsPrompt, buildPlanPrompt, PlannedQuestion, WrittenFinding } from "#api/ai/prompts/research.ts";

/** Passages in one prompt, and their length together. */
const MAX_PASSAGES = 24;
const MAX_PROMPT_CHARS = 14_000;
const TOKENS_PER_SENTENCE = 160;
const CHARS_PER_TOKEN = 4;

interface ModelCall {
  model: Model;
  language: Language;
  ownerId: string;
  signal: AbortSignal;
  /** Estimated tokens of the prompt and the answer. */
  onTokens: (tokens: number) => void;
  /** Whether the run may call the model again. */
  hasBudget: () => boolean;
}

/** A sentence of a model that its quote supports. */
export interface Finding {
  text: string;
  source: number;
  passageId: string;
  quote: string;
}

const joinLines = (text: string) => text.trim().replaceAll(/\s+/g, " ");

const LINK_OR_MARKUP = /https?:\/\/|www\.|!?\[[^\]]*\]\(|<\/?[a-z][^>]*>|[`{}]/iu;

/** Sub-questions proposed by a model; empty if it proposes none. The model sees only the student's question. */
export async function planWithModel(
  { model, language, ownerId, signal, onTokens }: ModelCall,
  question: string,
  { most, askedAt }: { most: number; askedAt: number },
): Promise<string[]> {
  const prompt = buildPlanPrompt({ question, count: most, language, askedAt });
  const planned: string[] = [];
  const objects = writeObjects(model, {
    ...prompt,
    schema: PlannedQuestion,
    validate: ({ question: written }) => (LINK_OR_MARKUP.test(written) ? "a question holds markup" : undefined),
    maxObjects: most,
    maxTokens: most * 80 + 100,
    ownerId,
    signal,
  });
  for await (const { question: written } of objects) {
    const line = joinLines(written);
    if (!planned.includes(line)) planned.push(line);
  }
  onTokens(Math.ceil((prompt.system.length + prompt.user.length + planned.join("").length) / CHARS_PER_TOKEN));
  return planned.slice(0, most);
}

/** The first passages that fit one prompt. */
function choosePassages(evidence: readonly EvidencePassage[]): EvidencePassage[] {
  let chars = 0;
  return evidence.slice(0, MAX_PASSAGES).filter(({ text }) => {
    chars += text.length;
    return chars <= MAX_PROMPT_CHARS;
  });
}

/**
 * Writes sentences with a model, from the best of the ranked passages. Each sentence is verified against the passage
 * that it names; unsupported sentences are returned separately. If only some are supported, the model may write the
 * others once more. The model has no tools here.
 */
export async function writeFindings(
  { model, language, ownerId, signal, onTokens, hasBudget }: ModelCall,
  question: string,
  { evidence, most }: { evidence: readonly EvidencePassage[]; most: number },
): Promise<{ findings: Finding[]; unsupported: string[] }> {
  const chosen = choosePassages(evidence);
  if (chosen.length === 0) return { findings: [], unsupported: [] };
  const passages = chosen.map(({ text }, index) => ({ id: String(index + 1), text }));
  const findings: Finding[] = [];
  const unsupported = new Set<string>();
  const write = async (count: number, rejected: readonly string[]) => {
    const prompt = buildFindingsPrompt({ question, passages, count, language, rejected });
    let chars = prompt.system.length + prompt.user.length;
    const objects = writeObjects(model, {
      ...prompt,
      schema: WrittenFinding,
      validate: (written) => {
        chars += JSON.stringify(written).length;
        if (verifyFinding(written, chosen)) return undefined;
        unsupported.add(joinLines(written.sentence));
        return "no sentence of it is supported by a quote that stands in its passage word for word";
      },
      maxObjects: count,
      maxTokens: count * TOKENS_PER_SENTENCE + 200,
      ownerId,
      signal,
    });
    try {
      for await (const written of objects) {
        const finding = verifyFinding(written, chosen);
        if (finding && !findings.some(({ text }) => text === finding.text)) findings.push(finding);
      }
    } finally {
      onTokens(Math.ceil(chars / CHARS_PER_TOKEN));
    }
  };
  await write(most, []);
  // If no sentence was supported, the model was already asked again.
  const remaining = Math.min(most - findings.length, unsupported.size);
  if (findings.length > 0 && remaining > 0 && hasBudget())
    await write(remaining, [...unsupported]).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
    });
  for (const { text } of findings) unsupported.delete(text);
  return { findings, unsupported: [...unsupported].filter((text) => !LINK_OR_MARKUP.test(text)) };
}

/**
 * Returns the finding that a model wrote; undefined unless the passage that it names contains its quote and supports
 * it.
 */
function verifyFinding(
  { sentence, passage, quote }: WrittenFindingType,
  chosen: readonly EvidencePassage[],
): Finding | undefined {
  const text = joinLines(sentence);
  const source = chosen[Number(passage) - 1];
  if (!source || LINK_OR_MARKUP.test(text)) return undefined;
  const snapshot = { id: source.passageId, text: source.text, page: null, heading: null, startMs: null };
  const found = findInSnapshot([snapshot], quote);
  if (!found || !isSupportedBy(text, found.quote)) return undefined;
  return { text, source: source.source, passageId: source.passageId, quote: found.quote };
}

type WrittenFindingType = ReturnType<(typeof WrittenFinding)["parse"]>;
