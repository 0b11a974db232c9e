import { useEffect, useState } from "react";

/** Renders a formula as MathML; shows its source until the library has loaded or if it is invalid. */
export function Formula({ tex, isBlock }: { tex: string; isBlock: boolean }) {
  const [markup, setMarkup] = useState<string>();
  useEffect(() => {
    let isUnmounted = false;
    const renderMarkup = async () => {
      const { renderToString } = await import("katex");
      const limits = { throwOnError: false, trust: false, strict: false, maxSize: 20, maxExpand: 200 } as const;
      const rendered = renderToString(tex, { displayMode: isBlock, output: "mathml", ...limits });
      if (!isUnmounted) setMarkup(rendered);
    };
    renderMarkup().catch(() => undefined);
    return () => {
      isUnmounted = true;
    };
  }, [tex, isBlock]);
  if (markup === undefined) return <code>{tex}</code>;
  // KaTeX escapes its input, and `trust: false` disables commands that load or link.
  return <span dangerouslySetInnerHTML={{ __html: markup }} />;
}
