import { Fragment, useEffect, useState, type ReactNode } from "react";
import "./code.css";

interface Element {
  type: "element";
  properties: { className?: unknown };
  children: Node[];
}
type Node = Element | { type: "text"; value: string } | { type: "comment" } | { type: "doctype" };

type Highlighter = (code: string, language: string) => Node[] | undefined;

let loading: Promise<Highlighter> | undefined;

/** Loads the grammars, once, when the first code is shown. */
function loadHighlighter(): Promise<Highlighter> {
  loading ??= import("lowlight").then(({ common, createLowlight }) => {
    const lowlight = createLowlight(common);
    return (code, language) =>
      lowlight.registered(language) ? lowlight.highlight(language, code).children : undefined;
  });
  return loading;
}

/** Longer code is not highlighted, because it would be slow. */
const MAX_HIGHLIGHTED_CHARS = 60_000;

function renderNodes(nodes: readonly Node[]): ReactNode {
  return nodes.map((node, at) => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return null;
    const names = Array.isArray(node.properties.className) ? node.properties.className.join(" ") : undefined;
    return (
      // Pieces are identified only by their position.
      <Fragment key={at}>
        <span className={names}>{renderNodes(node.children)}</span>
      </Fragment>
    );
  });
}

/** Code with syntax highlighting; plain while the grammars load. */
export function Code({ code, language }: { code: string; language: string }) {
  const [nodes, setNodes] = useState<{ code: string; language: string; nodes: Node[] | undefined }>();
  useEffect(() => {
    let isActive = true;
    if (language === "" || code.length > MAX_HIGHLIGHTED_CHARS) return undefined;
    const highlightCode = async () => {
      const highlight = await loadHighlighter();
      if (isActive) setNodes({ code, language, nodes: highlight(code, language) });
    };
    highlightCode().catch(() => undefined);
    return () => {
      isActive = false;
    };
  }, [code, language]);
  const isCurrent = nodes?.code === code && nodes.language === language;
  return <code className="code">{isCurrent && nodes.nodes ? renderNodes(nodes.nodes) : code}</code>;
}
