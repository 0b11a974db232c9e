import { useEffect, useState } from "react";
import { toMathml } from "#shared/ui/content/formula-limits.ts";

/** Renders a formula as MathML; shows its source until the library has loaded, or if it is too long or invalid. */
export function Formula({ tex, isBlock }: { tex: string; isBlock: boolean }) {
  const [markup, setMarkup] = useState<string>();
  useEffect(() => {
    let isUnmounted = false;
    const renderMarkup = async () => {
      const { renderToString } = await import("katex");
      if (!isUnmounted) setMarkup(toMathml(renderToString, tex, isBlock));
    };
    renderMarkup().catch(() => undefined);
    return () => {
      isUnmounted = true;
    };
  }, [tex, isBlock]);
  if (markup === undefined) return <code>{tex}</code>;
  // KaTeX escapes its input, and the limits disable commands that load or link.
  return <span dangerouslySetInnerHTML={{ __html: markup }} />;
}
