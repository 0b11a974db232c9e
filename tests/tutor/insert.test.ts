import { expect, test } from "vitest";
import type { Run } from "#shared/pages/schema.ts";
import { plainText } from "#shared/pages/runs.ts";
import { answerToBlocks } from "#webapp/tutor/answer-blocks.ts";

const wordsOf = (content: Record<string, unknown>) => plainText((content["text"] ?? []) as Run[]);

const answer = `See [the list](https://example.org/list) and <https://example.org>.

| Part | Work |
| --- | --- |
| **Nucleus** | holds DNA |

---

\`\`\`python title="a"
print(1)
\`\`\`

- one
  - two

$$E = mc^2$$`;

test("an answer inserted into a page keeps its links, lists, lines, code and equations", () => {
  const blocks = answerToBlocks({ text: answer, citations: [] });
  expect(blocks.map(({ type, content }) => [type, type === "text" ? wordsOf(content) : content])).toEqual([
    ["text", "See the list (https://example.org/list) and https://example.org."],
    ["text", "Part | Work"],
    ["text", "Nucleus | holds DNA"],
    ["divider", {}],
    ["code_block", { code: "print(1)", language: "python" }],
    ["text", "one"],
    ["text", "two"],
    ["equation", { latex: "E = mc^2" }],
  ]);
  expect(blocks[6]?.content).toMatchObject({ subType: "list_unordered", metadata: { indents: 1 } });
});
