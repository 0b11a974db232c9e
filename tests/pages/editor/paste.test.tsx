// @vitest-environment happy-dom
// It puts itself in the place of the browser's own.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { openSession, PageWorld, paragraph, showPage } from "#tests/kit/browser/page-world.tsx";
import { alertsAtom } from "#webapp/app/alerts.ts";
import { store } from "#webapp/app/store.ts";
import { uploadsAtom } from "#webapp/uploads/uploads.ts";

afterEach(() => cleanup());

/** A page of one line, the caret at its end. */
async function opened(text = "one") {
  const world = new PageWorld([paragraph("a", text)]);
  showPage();
  const { editor, session } = await openSession();
  editor.commands.setTextSelection(2 + text.length);
  const lines = () =>
    session
      .blocks()
      .filter(({ content }) => (content["text"] as unknown[] | undefined)?.length !== 0)
      .map(({ type, content }) => {
        const indents = (content["metadata"] as { indents: number } | undefined)?.indents ?? 0;
        return `${"  ".repeat(indents)}${typeof content["subType"] === "string" ? content["subType"] : type}: ${textOf(content)}`;
      });
  return { world, editor, session, lines };
}

const textOf = (content: Record<string, unknown>): string =>
  ((content["text"] as { content: string }[] | undefined) ?? []).map((run) => run.content).join("");

function pasteEvent(html: string, text = ""): ClipboardEvent {
  const data = new DataTransfer();
  data.setData("text/html", html);
  data.setData("text/plain", text);
  return new ClipboardEvent("paste", { clipboardData: data });
}

test("a heading pasted at the end of a line remains a heading", async () => {
  const { editor, lines } = await opened();
  editor.view.pasteHTML("<h2>Osmosis</h2>", pasteEvent("<h2>Osmosis</h2>"));
  expect(lines()).toEqual(["normal: one", "heading_2: Osmosis"]);
});

test("pasted code keeps the language that its page declares", async () => {
  const { editor, session } = await opened();
  const html =
    '<pre><code class="hljs language-python">print(1)</code></pre><pre class="lang-c++">x++;</pre><pre>y</pre>';
  editor.view.pasteHTML(html, pasteEvent(html));
  const code = session.blocks().filter(({ type }) => type === "code_block");
  expect(code.map(({ content }) => content["language"])).toEqual(["python", "c++", ""]);
});

test("a Markdown heading pasted at the end of a line remains a heading", async () => {
  const { editor, lines } = await opened();
  const { view } = editor;
  const event = pasteEvent("", "## Osmosis");
  const slice = view.someProp("clipboardTextParser", (f) => f("## Osmosis", view.state.selection.$from, false, view));
  view.someProp("handlePaste", (f) => slice && f(view, event, slice));
  expect(lines()).toEqual(["normal: one", "heading_2: Osmosis"]);
});

test("a heading pasted into an empty line replaces it", async () => {
  const { editor, lines } = await opened();
  editor.commands.setTextSelection(5);
  editor.commands.splitBlock();
  editor.view.pasteHTML("<h1>Cells</h1><p>Small rooms.</p>", pasteEvent("<h1>Cells</h1><p>Small rooms.</p>"));
  expect(lines()).toEqual(["normal: one", "heading_1: Cells", "normal: Small rooms."]);
});

test("text copied from one of our headings joins the line", async () => {
  const { editor, lines } = await opened();
  const html = '<h3 data-pm-slice="1 1 []" data-sub-type="heading_2">mosis</h3>';
  editor.view.pasteHTML(html, pasteEvent(html));
  expect(lines()).toEqual(["normal: onemosis"]);
});

const link = (target: string, content: string) => ({ content, reference: { kind: "link", target } });

test("an address pasted over text links it, and alone becomes a link; a javascript: address stays text", async () => {
  const { editor, session } = await opened("See here now");
  editor.commands.setTextSelection({ from: 6, to: 10 });
  const paste = (text: string) => {
    const event = pasteEvent("", text);
    const { view } = editor;
    const slice = view.someProp("clipboardTextParser", (f) => f(text, view.state.selection.$from, false, view));
    return view.someProp("handlePaste", (f) => slice && f(view, event, slice)) === true;
  };
  expect(paste("https://example.org/a?b=1")).toBe(true);
  expect(session.blocks()[0]?.content["text"]).toEqual([
    { content: "See " },
    link("https://example.org/a?b=1", "here"),
    { content: " now" },
  ]);
  editor.commands.setTextSelection(14);
  expect(paste("https://example.org")).toBe(true);
  expect(session.blocks()[0]?.content["text"]).toContainEqual(link("https://example.org", "https://example.org"));
  expect(paste("javascript:alert(1)")).toBe(false);
});

test("a link typed in Markdown becomes one when its bracket closes", async () => {
  const { editor, session } = await opened("see ");
  const { view } = editor;
  const typed = "[the page](https://example.org)";
  for (const letter of typed) {
    const { from, to } = view.state.selection;
    const isTaken = view.someProp("handleTextInput", (f) => f(view, from, to, letter, () => view.state.tr));
    if (isTaken !== true) view.dispatch(view.state.tr.insertText(letter, from, to));
  }
  expect(session.blocks()[0]?.content["text"]).toEqual([
    { content: "see " },
    { content: "the page", reference: { kind: "link", target: "https://example.org" } },
  ]);
});

const bullet = (mark: string) =>
  `<!--[if !supportLists]--><span style='mso-list:Ignore'>${mark}<span>&nbsp;&nbsp;</span></span><!--[endif]-->`;

describe("text copied from other programs keeps its structure", () => {
  test("Word's lists become lists, without bullets in the text", async () => {
    const { editor, lines } = await opened();
    const html = `<html><body><h1>Kinetics</h1>
<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'>${bullet("·")}First order</p>
<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level2 lfo1'>${bullet("o")}Half-life</p>
<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'>${bullet("1.")}Measure</p></body></html>`;
    editor.view.pasteHTML(html, pasteEvent(html));
    expect(lines()).toEqual([
      "normal: one",
      "heading_1: Kinetics",
      "list_unordered: First order",
      "  list_unordered: Half-life",
      "list_ordered: Measure",
    ]);
  });

  test("Google Docs' wrapper isn't bold, and its styles become marks", async () => {
    const { editor, session, lines } = await opened();
    const html = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span style="font-weight:400">Acids</span></h2><ul><li dir="ltr" aria-level="1"><p dir="ltr"><span style="font-weight:700;font-style:italic">Strong</span><span style="font-weight:400"> ones</span></p></li></ul></b>`;
    editor.view.pasteHTML(html, pasteEvent(html));
    expect(lines()).toEqual(["normal: one", "heading_2: Acids", "list_unordered: Strong ones"]);
    expect(session.blocks()[2]?.content["text"]).toEqual([
      { content: "Strong", attributes: { bold: true, italic: true } },
      { content: " ones" },
    ]);
  });

  test("a table becomes one line per row", async () => {
    const { editor, lines } = await opened();
    const html = "<p>Bases</p><table><tr><th>DNA</th><th>RNA</th></tr><tr><td>T</td><td> U </td></tr></table>";
    editor.view.pasteHTML(html, pasteEvent(html));
    expect(lines()).toEqual(["normal: oneBases", "normal: DNA | RNA", "normal: T | U"]);
  });
});

describe("hostile HTML", () => {
  test("pastes text only: no script, handler, style or javascript: address", async () => {
    const { editor, session, lines } = await opened();
    const html = `<script>window.hit = 1</script>
<p style="position:fixed;inset:0;z-index:9" onclick="window.hit = 1">safe <a href="javascript:window.hit=1">words</a></p>
<img src="x" onerror="window.hit = 1"><iframe srcdoc="<script>parent.hit = 1</script>"></iframe>
<svg onload="window.hit = 1"><text>drawn</text></svg><a href="data:text/html,x">data</a>`;
    editor.view.pasteHTML(html, pasteEvent(html));
    expect(lines().join("\n")).toContain("safe words");
    expect(JSON.stringify(session.blocks())).not.toMatch(/javascript:|data:text|onerror|position|display/);
    const { dom } = editor.view;
    expect(dom.querySelector("script, style, iframe, svg, [onclick], [onerror], [style*='fixed']")).toBeNull();
    expect((globalThis as { hit?: number }).hit).toBeUndefined();
  });
});

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

test("pictures in a paste are uploaded below their blocks, and missing ones are reported", async () => {
  const { editor, session, lines } = await opened();
  const html = `<p>First <img src="${PIXEL}" alt="A cell"> words</p><table><tr><td>a<img src="${PIXEL}"></td><td>b</td></tr></table>
    <img src="https://pictures.example/a.png"><img src="javascript:alert(1)"><img src="https://count.example/x.gif" width="1" height="1"><p>Last</p>`;
  editor.view.pasteHTML(html, pasteEvent(html));
  expect(lines()).toEqual(["normal: one", "normal: First words", "normal: a | b", "normal: Last"]);
  const ids = session.blocks().map(({ _id }) => _id);
  await expect
    .poll(() => store.get(uploadsAtom).map(({ name, after }) => [name, ids.indexOf(after ?? "")]))
    .toEqual([
      ["A cell.png", 1],
      ["Pasted picture.png", 2],
    ]);
  await expect
    .poll(() => store.get(alertsAtom).map(({ message }) => message))
    .toContain("2 pasted pictures could not be loaded. Upload them as files instead.");
});
