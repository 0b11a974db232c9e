// @vitest-environment happy-dom
// Provides IndexedDB, which the test environment lacks.
// oxlint-disable-next-line import/no-unassigned-import
import "fake-indexeddb/auto";
import { cleanup } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { replyWith } from "#tests/kit/browser/reply.ts";
import { createDeferred } from "#tests/kit/timing/deferred.ts";
import { openSession, PageWorld, paragraph, showPage } from "#tests/kit/browser/page-world.tsx";
import { setTransport } from "#webapp/app/client.ts";
import { alertsAtom } from "#webapp/app/alerts.ts";
import { store } from "#webapp/app/store.ts";
import { openPageAtom } from "#webapp/pages/session/open-page.ts";
import { uploadsAtom } from "#webapp/uploads/uploads.ts";

afterEach(() => cleanup());

/** Opens a page of one line with the caret at its end. */
async function openPageWithLine(text = "one") {
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
  const { editor, lines } = await openPageWithLine();
  editor.view.pasteHTML("<h2>Osmosis</h2>", pasteEvent("<h2>Osmosis</h2>"));
  expect(lines()).toEqual(["normal: one", "heading_2: Osmosis"]);
});

test("pasted code keeps the language that its page declares", async () => {
  const { editor, session } = await openPageWithLine();
  const html =
    '<pre><code class="hljs language-python">print(1)</code></pre><pre class="lang-c++">x++;</pre><pre>y</pre>';
  editor.view.pasteHTML(html, pasteEvent(html));
  const code = session.blocks().filter(({ type }) => type === "code_block");
  expect(code.map(({ content }) => content["language"])).toEqual(["python", "c++", ""]);
});

test("a Markdown heading pasted at the end of a line remains a heading", async () => {
  const { editor, lines } = await openPageWithLine();
  const { view } = editor;
  const event = pasteEvent("", "## Osmosis");
  const slice = view.someProp("clipboardTextParser", (f) => f("## Osmosis", view.state.selection.$from, false, view));
  view.someProp("handlePaste", (f) => slice && f(view, event, slice));
  expect(lines()).toEqual(["normal: one", "heading_2: Osmosis"]);
});

test("a heading pasted into an empty line replaces it", async () => {
  const { editor, lines } = await openPageWithLine();
  editor.commands.setTextSelection(5);
  editor.commands.splitBlock();
  editor.view.pasteHTML("<h1>Cells</h1><p>Small rooms.</p>", pasteEvent("<h1>Cells</h1><p>Small rooms.</p>"));
  expect(lines()).toEqual(["normal: one", "heading_1: Cells", "normal: Small rooms."]);
});

test("text copied from one of our headings joins the line", async () => {
  const { editor, lines } = await openPageWithLine();
  const html = '<h3 data-pm-slice="1 1 []" data-sub-type="heading_2">mosis</h3>';
  editor.view.pasteHTML(html, pasteEvent(html));
  expect(lines()).toEqual(["normal: onemosis"]);
});

const link = (target: string, content: string) => ({ content, reference: { kind: "link", target } });

test("an address pasted over text links it, and alone becomes a link; a javascript: address stays text", async () => {
  const { editor, session } = await openPageWithLine("See here now");
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

function typeLetters({ view }: Awaited<ReturnType<typeof openPageWithLine>>["editor"], text: string): void {
  for (const letter of text) {
    const { from, to } = view.state.selection;
    const isTaken = view.someProp("handleTextInput", (f) => f(view, from, to, letter, () => view.state.tr));
    if (isTaken !== true) view.dispatch(view.state.tr.insertText(letter, from, to));
  }
}

test("a typed address becomes a link at the next space, without trailing punctuation", async () => {
  const { editor, session } = await openPageWithLine("");
  typeLetters(editor, "see https://example.org/a. Then www.b.example now and 3.5 or e.g. this");
  expect(session.blocks()[0]?.content["text"]).toEqual([
    { content: "see " },
    link("https://example.org/a", "https://example.org/a"),
    { content: ". Then " },
    link("https://www.b.example", "www.b.example"),
    { content: " now and 3.5 or e.g. this" },
  ]);
});

test("a formula is rendered at its second dollar and stored as text, and amounts of money stay text", async () => {
  const { editor, session, lines } = await openPageWithLine("");
  typeLetters(editor, String.raw`It is $x^2$, $\frac{1}{2}$ and $5 or 10$ more`);
  expect(lines()[0]).toBe(String.raw`normal: It is $x^2$, $\frac{1}{2}$ and $5 or 10$ more`);
  const shown = [...editor.view.dom.querySelectorAll<HTMLElement>(".page-formula")].map(
    (formula) => formula.dataset["latex"],
  );
  expect(shown).toEqual(["x^2", String.raw`\frac{1}{2}`]);
  expect(session.text()).toContain("It is $x^2$");
});

test("an arrow key opens a formula's source for editing, and leaving it renders the formula", async () => {
  const { editor, lines } = await openPageWithLine("");
  typeLetters(editor, "$x^2$");
  const press = (name: string) =>
    editor.view.someProp("handleKeyDown", (f) => f(editor.view, new KeyboardEvent("keydown", { key: name })));
  expect(press("ArrowLeft")).toBe(true);
  expect(editor.view.dom.querySelector(".page-formula")).toBeNull();
  typeLetters(editor, "+1");
  expect(press("Enter")).toBe(true);
  expect(editor.view.dom.querySelector<HTMLElement>(".page-formula")?.dataset["latex"]).toBe("x^2+1");
  expect(lines()).toEqual(["normal: $x^2+1$"]);
  expect(press("Backspace")).toBe(true);
  expect(editor.state.doc.textContent).toBe("");
});

test("a link typed in Markdown becomes one when its bracket closes", async () => {
  const { editor, session } = await openPageWithLine("see ");
  const typed = "[the page](https://example.org)";
  typeLetters(editor, typed);
  expect(session.blocks()[0]?.content["text"]).toEqual([
    { content: "see " },
    { content: "the page", reference: { kind: "link", target: "https://example.org" } },
  ]);
});

const bullet = (mark: string) =>
  `<!--[if !supportLists]--><span style='mso-list:Ignore'>${mark}<span>&nbsp;&nbsp;</span></span><!--[endif]-->`;

describe("text copied from other programs keeps its structure", () => {
  test("Word's lists become lists, without bullets in the text", async () => {
    const { editor, lines } = await openPageWithLine();
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
    const { editor, session, lines } = await openPageWithLine();
    const html = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span style="font-weight:400">Acids</span></h2><ul><li dir="ltr" aria-level="1"><p dir="ltr"><span style="font-weight:700;font-style:italic">Strong</span><span style="font-weight:400"> ones</span></p></li></ul></b>`;
    editor.view.pasteHTML(html, pasteEvent(html));
    expect(lines()).toEqual(["normal: one", "heading_2: Acids", "list_unordered: Strong ones"]);
    expect(session.blocks()[2]?.content["text"]).toEqual([
      { content: "Strong", attributes: { bold: true, italic: true } },
      { content: " ones" },
    ]);
  });

  test("a table stays a table, with bold text and links in its cells", async () => {
    const { editor, lines } = await openPageWithLine();
    const html =
      '<p>Bases</p><table><tr><th>DNA</th><th>RNA</th></tr><tr><td><b>T</b> <a href="https://a.example">see</a></td><td> U|2*3*4 </td></tr></table>';
    editor.view.pasteHTML(html, pasteEvent(html));
    expect(lines()).toEqual([
      "normal: oneBases",
      String.raw`normal: | DNA | RNA |
| --- | --- |
| **T** [see](https://a.example) | U\|2\*3\*4 |`,
    ]);
  });

  test.each([
    ["Notion", "<ul><li>[ ] Read</li><li>[x] Write</li></ul>"],
    [
      "Notion's export",
      '<ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>Read</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Write</span></li></ul>',
    ],
    [
      "Google Docs",
      '<ul><li role="checkbox" aria-checked="false"><p>Read</p></li><li role="checkbox" aria-checked="true"><p>Write</p></li></ul>',
    ],
    ["Word", "<p class=MsoNormal><span>☐</span> Read</p><p class=MsoNormal>☒ Write</p>"],
    [
      "GitHub",
      '<ul><li><p><input type="checkbox"> Read</p></li><li><p><input type="checkbox" checked> Write</p></li></ul>',
    ],
  ])("to-dos of %s stay to-dos, checked or not", async (_, html) => {
    const { editor, lines } = await openPageWithLine();
    editor.view.pasteHTML(html, pasteEvent(html));
    expect(lines().map((line) => line.replace(/: +/, ": "))).toEqual([
      "normal: one",
      "list_checkbox_unchecked: Read",
      "list_checkbox_checked: Write",
    ]);
  });

  test("a formula rendered by KaTeX becomes a formula", async () => {
    const { editor, lines } = await openPageWithLine();
    const html =
      '<p>so <span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html">x2</span></span> it is</p>';
    editor.view.pasteHTML(html, pasteEvent(html));
    expect(lines()).toEqual(["normal: oneso $x^2$ it is"]);
    expect(editor.view.dom.querySelector(".page-formula")?.getAttribute("data-latex")).toBe("x^2");
  });
});

describe("hostile HTML", () => {
  test("pastes text only: no script, handler, style or javascript: address", async () => {
    const { editor, session, lines } = await openPageWithLine();
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
  const { editor, session, lines } = await openPageWithLine();
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

test("a picture that arrives after its page was left is uploaded to that page", async () => {
  const { world, editor } = await openPageWithLine();
  const arrival = createDeferred<undefined>();
  const isFetching = createDeferred<undefined>();
  const carry = world.transportAfter(() => false);
  setTransport(async (call) => {
    if (!call.path.startsWith("/v1/image_download")) return carry(call);
    isFetching.resolve(undefined);
    await arrival.promise;
    return { ...replyWith(""), blob: async () => new Blob(["png"], { type: "image/png" }) };
  });
  const html = '<p>Cells <img src="https://pictures.example/a.png" alt="A cell"></p>';
  editor.view.pasteHTML(html, pasteEvent(html));
  await isFetching.promise;
  cleanup();
  showPage("page-2");
  await expect.poll(() => store.get(openPageAtom)?.pageId).toBe("page-2");
  arrival.resolve(undefined);
  await expect.poll(() => store.get(uploadsAtom).map(({ pageId }) => pageId)).toEqual(["page-1"]);
});
