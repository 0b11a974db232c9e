import { jsonrepair } from "jsonrepair";
import { z } from "zod";
import { streamAnswer, type WrittenCall } from "./answer-stream.ts";
import { estimateTokens } from "../budget.ts";
import type { HostedModel } from "./hosted-model.ts";
import type { Tool, ToolRequest } from "../port.ts";
import { failureOf, isBadRequest, nameOf } from "./retry.ts";

const MAX_TOKENS = 300;
/** Stop reading a model that writes prose instead of calling a tool. */
const MAX_TALK = 400;

/** A tool that runs only if its arguments match the schema. */
export function makeTool<T>(tool: {
  name: string;
  description: string;
  form: z.ZodType<T>;
  run: (asked: T, signal: AbortSignal) => Promise<void>;
}): Tool {
  const { name, description, form } = tool;
  const { $schema: _, ...parameters } = z.toJSONSchema(form);
  return {
    name,
    description,
    parameters,
    async run(written, signal) {
      const asked = form.safeParse(written);
      if (!asked.success) return false;
      await tool.run(asked.data, signal);
      return true;
    },
  };
}

function readArguments(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text) as unknown;
  } catch {
    try {
      return JSON.parse(jsonrepair(text)) as unknown;
    } catch {
      return undefined;
    }
  }
}

async function run(calls: readonly WrittenCall[], { tools, atMost, signal }: ToolRequest): Promise<number> {
  let ran = 0;
  // Identical calls run once.
  const fresh = new Map(calls.map((call) => [`${call.name} ${call.arguments}`, call]));
  for (const call of [...fresh.values()].slice(0, atMost)) {
    const tool = tools.find(({ name }) => name === call.name);
    if (await tool?.run(readArguments(call.arguments), signal)) ran += 1;
  }
  return ran;
}

/**
 * One request that offers tools. It contains only the student's own words, never text from a file, a page or an answer.
 */
export async function useTools(hosted: HostedModel, request: ToolRequest): Promise<number> {
  if (hosted.toolless.has(hosted.info.id)) return 0;
  try {
    const calls = await choose(hosted, request, false).catch((error: unknown) => {
      if (isBadRequest(error)) return choose(hosted, request, true);
      throw error;
    });
    return await run(calls, request);
  } catch (error) {
    request.signal.throwIfAborted();
    if (isBadRequest(error)) {
      hosted.toolless.add(hosted.info.id);
      return 0;
    }
    hosted.log.info({ model: hosted.info.id, ...nameOf(error) }, "tool selection failed");
    throw failureOf(error);
  }
}

async function choose(hosted: HostedModel, request: ToolRequest, isPlain: boolean): Promise<readonly WrittenCall[]> {
  const { system, user, tools, ownerId, signal } = request;
  const turns = [{ role: "user" as const, text: user }];
  const promptTokens = estimateTokens(system + user + JSON.stringify(tools));
  const reservation = await hosted.budget.reserve(promptTokens + MAX_TOKENS);
  let chars = 0;
  let tokensUsed: number | undefined;
  let calls: readonly WrittenCall[] = [];
  try {
    const question = { system, turns, tools, maxTokens: MAX_TOKENS, isPlain, signal };
    const parts = streamAnswer(hosted.server, question);
    for await (const part of hosted.prompts.follow({ ownerId, model: hosted.info.id, question }, parts)) {
      if (part.type === "text") chars += part.text.length;
      else if (part.type === "calls") ({ calls } = part);
      else tokensUsed = part.tokensUsed;
      if (chars > MAX_TALK) break;
    }
    return calls;
  } finally {
    await reservation.settle(tokensUsed ?? promptTokens + Math.ceil(chars / 3.6));
  }
}
