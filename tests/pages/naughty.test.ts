import { ulid } from "ulid";
import { expect, test } from "vitest";
import { fromDoc, toDoc } from "#shared/pages/document.ts";
import { parseMarkdownBlocks } from "#shared/pages/markdown-read.ts";
import { writeMarkdown } from "#shared/pages/markdown-write.ts";
import { plainText } from "#shared/pages/runs.ts";
import type { Component } from "#shared/pages/schema.ts";
import { startApi } from "#tests/kit/api.ts";
import { aChange, aPage, send, textComponent, textContent } from "#tests/store/changes.ts";
import { naughtyStrings } from "#tests/kit/naughty.ts";

const naughty = naughtyStrings();

test("every naughty string is returned unchanged as a title and as text", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  const pageId = await aPage(ada);
  const made = textComponent(ulid(), pageId);
  const runs = naughty.map((content) => ({ content }));
  const component = { ...made.component, content: { ...made.component.content, text: runs } };
  await send(ada, aChange("component_create", component._id, { ...made, component }));
  const { components } = await ada.client.pages.getPage({ id: pageId });
  expect(components.map(({ content }) => ("text" in content ? content.text : []))).toEqual([runs]);
  const titles = naughty.filter((text) => text.length <= 500).map((title) => ({ id: ulid(), title }));
  await send(ada, ...titles.map(({ id, title }) => aChange("page_create", id, { title, createdAt: 1 })));
  const { content } = await ada.client.pages.getContent({});
  const storedTitles = new Map(content.pages.map(({ _id, title }) => [_id, title]));
  for (const title of titles) expect(storedTitles.get(title.id)).toBe(title.title);
});

const letters = (words: string) => words.normalize("NFC").replaceAll(/[^\p{L}\p{N}]/gu, "");

test("every naughty string survives the editor's document unchanged, and Markdown with its words", () => {
  for (const text of naughty) {
    const block = { _id: "a", type: "text", content: textContent(text) };
    const [back] = fromDoc(toDoc([block]));
    expect(plainText((back?.content["text"] ?? []) as [])).toBe(text);
    const markdown = writeMarkdown([{ ...block, pageId: "p" } as unknown as Component], {
      addressOf: () => "",
    });
    const read = parseMarkdownBlocks(markdown);
    const once = read.map((one) => (one.type === "text" ? plainText(one.content.text) : "")).join("\n");
    expect(letters(once)).toBe(letters(text));
  }
});
