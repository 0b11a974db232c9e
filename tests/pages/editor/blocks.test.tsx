// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { undo } from "@tiptap/pm/history";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { openSession, PageWorld, paragraph, showPage } from "#tests/kit/browser/page-world.tsx";
import { alertsAtom } from "#webapp/app/alerts.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";
import { highlightCitation } from "#webapp/pages/highlight-citation.ts";
import { shouldLeaveField } from "#webapp/pages/editor/focus-inserted-block.ts";
import { CodeBlock } from "#webapp/pages/parts/blocks/code-block.tsx";
import { EquationBlock } from "#webapp/pages/parts/blocks/equation-block.tsx";

// KaTeX requires a page in standards mode, which the test environment does not report.
Object.defineProperty(document, "compatMode", { value: "CSS1Compat" });
afterEach(() => cleanup());

type View = Awaited<ReturnType<typeof openSession>>["editor"]["view"];

/** Pastes plain text as a browser does. */
function paste(view: View, text: string): void {
  const slice = view.someProp("clipboardTextParser", (parse) => parse(text, view.state.selection.$from, false, view));
  if (slice) view.dispatch(view.state.tr.replaceSelection(slice));
}

const NOTES = "## Transport\n\n- **Diffusion** needs none\n- Pumps do\n\n```py\nprint(1)\n```\n\n$$\nF = ma\n$$";

/** A short description of each block of the page. */
const shapeOf = (session: Awaited<ReturnType<typeof openSession>>["session"]) =>
  session
    .blocks()
    .map(({ type, content }) => [type, content["subType"] ?? content["code"] ?? content["latex"]].join(" "));

test("pasted Markdown becomes headings, lists, code and equations, and one undo reverts it", async () => {
  const world = new PageWorld([paragraph("a", "one")]);
  showPage();
  const { editor, session } = await openSession();
  editor.commands.setTextSelection(5);
  paste(editor.view, NOTES);
  expect(shapeOf(session)).toEqual(
    expect.arrayContaining([
      "text heading_2",
      "text list_unordered",
      "text list_unordered",
      "code_block print(1)",
      "equation F = ma",
    ]),
  );
  await session.saver.flush();
  await queue().flush();
  expect(world.sent("component_create").length).toBeGreaterThanOrEqual(5);
  undo(editor.state, editor.view.dispatch);
  expect(session.text()).toBe("one");
});

test("text that only resembles Markdown is pasted unchanged", async () => {
  const world = new PageWorld([paragraph("a", "one")]);
  showPage();
  const { editor, session } = await openSession();
  editor.commands.setTextSelection(5);
  paste(editor.view, " 3 * 4 * 5 is # 60, - isn't it?");
  expect(session.text()).toBe("one 3 * 4 * 5 is # 60, - isn't it?");
  expect(world.log).not.toEqual([]);
});

test("a Markdown file is inserted at the end of the page", async () => {
  const world = new PageWorld([paragraph("a", "one")]);
  showPage();
  const { session } = await openSession();
  session.appendMarkdown("| Question | Answer |\n| --- | --- |\n| What is a gene? | A unit of heredity |");
  await session.saver.flush();
  await queue().flush();
  expect(world.sent("component_create").map(({ data }) => data.component)).toMatchObject([
    { type: "flash_cards", content: { cards: [{ question: "What is a gene?", answer: "A unit of heredity" }] } },
  ]);
});

type Content = Record<string, unknown>;

function EditedBlock({ type, content }: { type: "code_block" | "equation"; content: Content }) {
  const [edited, setEdited] = useState(content);
  const Kind = type === "code_block" ? CodeBlock : EquationBlock;
  return (
    <>
      <Kind
        pageId="p"
        block={{ _id: "b", type, content: edited }}
        isSelected={false}
        edit={setEdited}
        remove={() => undefined}
      />
      <button type="button">Next</button>
    </>
  );
}

test("Tab indents code, and after Escape it leaves the field", async () => {
  render(<EditedBlock type="code_block" content={{ code: "", language: "python" }} />);
  const user = userEvent.setup();
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Code" });
  await user.click(field);
  await user.keyboard("if x:{Enter}{Tab}y = 1");
  expect(field.value).toBe("if x:\n  y = 1");
  await user.keyboard("{Escape}{Tab}");
  expect(document.activeElement).not.toBe(field);
  expect(field.value).toBe("if x:\n  y = 1");
});

const leaves = (key: string, value: string, type = "code_block", ctrlKey = false) => {
  const field = document.createElement("textarea");
  field.value = value;
  let does = false;
  field.addEventListener("keydown", (event) => (does = shouldLeaveField(event, type)));
  field.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey }));
  return does;
};

test("Escape leaves a block after writing, and Backspace leaves an empty one", () => {
  expect([leaves("Escape", "a"), leaves("Enter", "a", "equation", true), leaves("Backspace", "")]).toEqual([
    true,
    true,
    true,
  ]);
  expect([leaves("Backspace", "a"), leaves("Enter", "a"), leaves("Backspace", "", "flash_cards")]).toEqual([
    false,
    false,
    false,
  ]);
});

test("code is highlighted by its language, which can be changed", async () => {
  const { container } = render(
    <EditedBlock type="code_block" content={{ code: "def f(): pass", language: "python" }} />,
  );
  await waitFor(() => expect(container.querySelector(".hljs-keyword")?.textContent).toBe("def"));
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Language" }), "Plain text");
  await waitFor(() => expect(container.querySelector(".hljs-keyword")).toBeNull());
});

test("an unknown language is preserved", () => {
  render(<EditedBlock type="code_block" content={{ code: "x", language: "brainfuck" }} />);
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Language" }).value).toBe("brainfuck");
});

test("an equation is rendered while typing, and an error shows why it can't be", async () => {
  const { container } = render(<EditedBlock type="equation" content={{ latex: "" }} />);
  const source = screen.getByRole("textbox", { name: "Formula in LaTeX" });
  const user = userEvent.setup();
  await user.click(source);
  await user.paste("E = mc^2");
  await waitFor(() => expect(container.querySelector(".katex")).not.toBeNull());
  await user.paste(String.raw` \frac{`);
  expect(await screen.findByRole("status")).toBeTruthy();
  expect(container.querySelector(".maths")?.textContent).toContain(String.raw`\frac{`);
});

test.each([
  ["too long", "a".repeat(10_001), "it has more than 10,000 characters"],
  ["nested too deeply", "{".repeat(9000), "it is nested too deeply"],
])("an equation that is %s is shown as its source, with the reason", async (_, latex, reason) => {
  const { container } = render(<EditedBlock type="equation" content={{ latex: "" }} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole("textbox", { name: "Formula in LaTeX" }));
  await user.paste(latex);
  await screen.findByText(`Formula not finished: ${reason}`);
  expect(container.querySelector(".maths")?.textContent).toBe(latex);
});

const lit: string[] = [];
// The test environment paints nothing, so the test records which text is to be highlighted.
vi.stubGlobal("Highlight", function Highlight(range: Range) {
  lit.push(range.toString());
});
vi.stubGlobal("CSS", { ...globalThis.CSS, highlights: { set: () => undefined, delete: () => lit.pop() } });

test("a quote is highlighted in the text, and a notice is shown if it is no longer there", async () => {
  const world = new PageWorld([paragraph("a", "Water moves by osmosis across a membrane."), paragraph("b", "More.")]);
  showPage();
  const { session } = await openSession();
  const putOut = highlightCitation(session, { componentId: "a", quote: "moves by  Osmosis" });
  expect(lit).toEqual(["moves by osmosis"]);
  putOut();
  highlightCitation(session, { componentId: "b", quote: "moves by osmosis" });
  expect(lit).toEqual([]);
  expect(store.get(alertsAtom).at(-1)?.message).toBe("The quoted text has changed.");
  highlightCitation(session, { componentId: "gone", quote: "moves" });
  expect(store.get(alertsAtom).at(-1)?.message).toBe("The quoted text is no longer on this page.");
  expect(world.requests).toEqual([]);
});
