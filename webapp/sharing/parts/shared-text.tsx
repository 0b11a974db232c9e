import { Fragment, type ReactNode } from "react";
import type { Component, Run, TextContent } from "#shared/pages/schema.ts";

/** Addresses that a page of text may lead to; anything else stays text. */
const isAddress = (target: string) => /^(?:https?:|mailto:)/i.test(target);

function marked({ attributes = {} }: Run, inner: ReactNode): ReactNode {
  let shown = inner;
  if (attributes.inline_code) shown = <code className="code">{shown}</code>;
  if (attributes.bold) shown = <strong>{shown}</strong>;
  if (attributes.italic) shown = <em>{shown}</em>;
  if (attributes.underline) shown = <u>{shown}</u>;
  if (attributes.strikethrough) shown = <s>{shown}</s>;
  return shown;
}

function RunText({ run }: { run: Run }) {
  const inner = typeof run.content === "string" ? run.content : <Runs runs={run.content} />;
  const shown = marked(run, inner);
  const { reference } = run;
  if (reference?.kind !== "link" || !isAddress(reference.target)) return shown;
  return (
    <a href={reference.target} target="_blank" rel="noopener noreferrer nofollow ugc">
      {shown}
    </a>
  );
}

function Runs({ runs }: { runs: readonly Run[] }) {
  return runs.map((run, at) => (
    // Pieces of one text have no name but their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      <RunText run={run} />
    </Fragment>
  ));
}

const headings = { heading_1: "h2", heading_2: "h3", heading_3: "h4" } as const;

/** A line of a page as it was written; `number` is its place in an ordered list. */
export function SharedText({ content, number }: { content: TextContent; number: number }) {
  const { subType, metadata } = content;
  const runs = <Runs runs={content.text} />;
  const look = {
    dir: "auto" as const,
    className: `shared-text shared-${subType}`,
    "data-color": metadata.highlightColor ?? undefined,
    style: metadata.indents > 0 ? { marginInlineStart: `${metadata.indents * 1.5}rem` } : undefined,
  };
  if (subType === "heading_1" || subType === "heading_2" || subType === "heading_3") {
    const Heading = headings[subType];
    return <Heading {...look}>{runs}</Heading>;
  }
  if (subType === "block_quote") return <blockquote {...look}>{runs}</blockquote>;
  const mark = markOf(subType, number);
  return (
    <p {...look}>
      {mark !== undefined && <span className="shared-mark">{mark}</span>}
      <span>{runs}</span>
    </p>
  );
}

function markOf(subType: TextContent["subType"], number: number): string | undefined {
  if (subType === "list_ordered") return `${number}.`;
  if (subType === "list_unordered") return "•";
  if (subType === "list_checkbox_checked") return "☑";
  return subType === "list_checkbox_unchecked" ? "☐" : undefined;
}

/** Each line's number in the ordered list it stands in, by its indent. */
export function numbersOf(components: readonly Component[]): number[] {
  const counts = new Map<number, number>();
  return components.map((component) => {
    const indents = component.type === "text" ? component.content.metadata.indents : 0;
    const isOrdered = component.type === "text" && component.content.subType === "list_ordered";
    for (const depth of counts.keys()) if (depth > indents || (!isOrdered && depth === indents)) counts.delete(depth);
    if (!isOrdered) return 0;
    const number = (counts.get(indents) ?? 0) + 1;
    counts.set(indents, number);
    return number;
  });
}
