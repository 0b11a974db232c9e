import { jsonrepair } from "jsonrepair";
import { z } from "zod";
import type { ToolCall, ToolSpec } from "#api/ai/port.ts";
import type { AgentAction, TOOL_NAMES } from "./read-actions.ts";

const path = z.string().max(300).describe("Path in the site, for example /src/app.tsx");
const text = z.string();
const line = z.int().min(1).describe("Number of a line");

/** The arguments of each tool, for servers that support tool calls. */
const tools: Readonly<Record<(typeof TOOL_NAMES)[number], { description: string; schema: z.ZodObject }>> = {
  list_files: { description: "List the files of the site with their sizes.", schema: z.object({}) },
  read_file: {
    description: "Read a file, or some of its lines.",
    schema: z.object({ path, from: line.optional(), to: line.optional() }),
  },
  write_file: {
    description: "Write a whole file: a new one, or one that edit_file could not change.",
    schema: z.object({ path, text: text.describe("The whole file") }),
  },
  edit_file: {
    description: "Replace lines of a file.",
    schema: z.object({
      path,
      edits: z
        .array(
          z.object({
            search: text.describe("Lines that the file has exactly once"),
            replace: text.describe("Lines to put there"),
          }),
        )
        .min(1)
        .max(20),
    }),
  },
  delete_file: { description: "Delete a file.", schema: z.object({ path }) },
  rename_file: { description: "Rename a file.", schema: z.object({ from: path, to: path }) },
  check: { description: "Build the site; answers with the faults and their lines.", schema: z.object({}) },
  console: {
    description: "Show the site in the student's preview and read the errors of its console.",
    schema: z.object({}),
  },
  find_in_sources: {
    description: "Find passages in the notes, decks and files that the student chose for this site.",
    schema: z.object({ query: text.max(300) }),
  },
  use_cards: {
    description: "Write the student's flashcards word for word to /src/data/cards.json.",
    schema: z.object({}),
  },
};

let toolSpecs: readonly ToolSpec[] | undefined;

export const listToolSpecs = (): readonly ToolSpec[] =>
  (toolSpecs ??= Object.entries(tools).map(([name, { description, schema }]) => {
    const { $schema: _, ...parameters } = z.toJSONSchema(schema);
    return { name, description, parameters };
  }));

const Fields = z.record(z.string(), z.unknown());

function parseArguments(written: string, isWhole: boolean): unknown {
  try {
    return JSON.parse(written === "" ? "{}" : written) as unknown;
  } catch {
    // Repairing arguments that were cut would write half a file.
    if (!isWhole) return undefined;
  }
  try {
    return JSON.parse(jsonrepair(written)) as unknown;
  } catch {
    return undefined;
  }
}

/** Converts a native call to an action. If the arguments are wrong, the action has a fault, which the model reads. */
export function toAction({ name, arguments: written }: ToolCall, isWhole: boolean): AgentAction {
  const tool = Object.hasOwn(tools, name) ? tools[name as keyof typeof tools] : undefined;
  const action = { name: name.slice(0, 100), args: {}, body: "" };
  if (!tool) return action;
  const parsed = tool.schema.safeParse(parseArguments(written, isWhole));
  if (!parsed.success)
    return { ...action, fault: isWhole ? `The arguments of ${name} are not as described.` : `The call was cut.` };
  const { text: body, edits, ...rest } = Fields.parse(parsed.data);
  const args = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, String(value)]));
  return {
    ...action,
    args,
    body: typeof body === "string" ? body : "",
    ...(Array.isArray(edits) && { edits: edits as NonNullable<AgentAction["edits"]> }),
  };
}
