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

/** Grammars are loaded with the first code shown. */
function load(): Promise<Highlighter> {
  loading ??= import("lowlight").then(({ common, createLowlight }) => {
    const lowlight = createLowlight(common);
    return (code, language) =>
      lowlight.registered(language) ? lowlight.highlight(language, code).children : undefined;
  });
  return loading;
}

/** Longer code is not highlighted, because it would be slow. */
const MAX_COLOURED = 60_000;

function shown(nodes: readonly Node[]): ReactNode {
  return nodes.map((node, at) => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return null;
    const names = Array.isArray(node.properties.className) ? node.properties.className.join(" ") : undefined;
    return (
      // Pieces are identified only by their position.
      <Fragment key={at}>
        <span className={names}>{shown(node.children)}</span>
      </Fragment>
    );
  });
}

/** Code with syntax highlighting; plain while the grammars load. */
export function Code({ code, language }: { code: string; language: string }) {
  const [nodes, setNodes] = useState<{ code: string; language: string; nodes: Node[] | undefined }>();
  useEffect(() => {
    let isWanted = true;
    if (language === "" || code.length > MAX_COLOURED) return undefined;
    const colour = async () => {
      const highlight = await load();
      if (isWanted) setNodes({ code, language, nodes: highlight(code, language) });
    };
    colour().catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [code, language]);
  const isCurrent = nodes?.code === code && nodes.language === language;
  return <code className="code">{isCurrent && nodes.nodes ? shown(nodes.nodes) : code}</code>;
}
