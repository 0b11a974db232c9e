import { jsonrepair } from "jsonrepair";
import { z } from "zod";
import { streamAnswerWithinBudget } from "./counted-answer.ts";
import type { HostedModel } from "./hosted-model.ts";
import type { Tool, ToolCall, ToolRequest } from "../port.ts";
import { toModelFailure, isBadRequest, describeError } from "./retry.ts";

const MAX_TOKENS = 300;
/** Stop reading a model that writes prose instead of calling a tool. */
const MAX_PROSE_CHARS = 400;

/** A tool that runs only if its arguments match the schema. */
export function createTool<T>(tool: {
  name: string;
  description: string;
  schema: z.ZodType<T>;
  run: (parsed: T, signal: AbortSignal) => Promise<void>;
}): Tool {
  const { name, description, schema } = tool;
  const { $schema: _, ...parameters } = z.toJSONSchema(schema);
  return {
    name,
    description,
    parameters,
    async run(written, signal) {
      const parsed = schema.safeParse(written);
      if (!parsed.success) return false;
      await tool.run(parsed.data, signal);
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

async function runCalls(calls: readonly ToolCall[], { tools, maxCalls, signal }: ToolRequest): Promise<number> {
  let runCount = 0;
  // Identical calls run once.
  const distinct = new Map(calls.map((call) => [`${call.name} ${call.arguments}`, call]));
  for (const call of [...distinct.values()].slice(0, maxCalls)) {
    const tool = tools.find(({ name }) => name === call.name);
    if (await tool?.run(readArguments(call.arguments), signal)) runCount += 1;
  }
  return runCount;
}

/**
 * One request that offers tools. It contains only the student's own words, never text from a file, a page or an answer.
 */
export async function useTools(hosted: HostedModel, request: ToolRequest): Promise<number> {
  if (hosted.modelsWithoutTools.has(hosted.info.id)) return 0;
  try {
    const calls = await requestToolCalls(hosted, request, false).catch((error: unknown) => {
      if (isBadRequest(error)) return requestToolCalls(hosted, request, true);
      throw error;
    });
    return await runCalls(calls, request);
  } catch (error) {
    request.signal.throwIfAborted();
    if (isBadRequest(error)) {
      hosted.modelsWithoutTools.add(hosted.info.id);
      return 0;
    }
    hosted.log.info({ model: hosted.info.id, ...describeError(error) }, "tool selection failed");
    throw toModelFailure(error);
  }
}

async function requestToolCalls(
  hosted: HostedModel,
  request: ToolRequest,
  omitsOptions: boolean,
): Promise<readonly ToolCall[]> {
  const { system, user, tools, ownerId, signal } = request;
  const turns = [{ role: "user" as const, text: user }];
  const modelRequest = { system, turns, tools, maxTokens: MAX_TOKENS, omitsOptions, signal };
  let chars = 0;
  let calls: readonly ToolCall[] = [];
  for await (const part of streamAnswerWithinBudget(hosted, modelRequest, ownerId)) {
    if (part.type === "text") chars += part.text.length;
    else if (part.type === "calls") ({ calls } = part);
    if (chars > MAX_PROSE_CHARS) break;
  }
  return calls;
}
