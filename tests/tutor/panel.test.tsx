import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { textOfParts } from "#shared/tutor/message-parts.ts";
import { phrase } from "#shared/tutor/phrases.ts";
import type { Message, MessagePart } from "#shared/tutor/schema.ts";
import { Answer } from "#extension/tutor/answer.tsx";
import { aMessage } from "#tests/kit/tutor.ts";

const anAnswer = (parts: MessagePart[], change: Partial<Message>): Message =>
  aMessage({ text: textOfParts(parts), parts, model: "some-model", ...change });
const claim: MessagePart = { type: "text", text: "Codons evolved long before any other part of the cell." };
const show = (parts: MessagePart[], change: Partial<Message> = {}) =>
  renderToStaticMarkup(<Answer message={anAnswer(parts, change)} onShow={() => undefined} />);

test("the side panel marks paragraphs of a model's answer that no source supports", () => {
  expect(show([claim])).toContain("Not from your sources");
  expect(
    show([
      { type: "text", text: "A codon has three nucleotides. " },
      { type: "citation", n: 1 },
    ]),
  ).not.toContain("Not from your sources");
  expect(show([phrase("builtin_lead")])).not.toContain("Not from your sources");
  expect(show([claim], { status: "writing" })).not.toContain("Not from your sources");
  expect(show([claim], { model: "lamplight-builtin" })).not.toContain("Not from your sources");
});
