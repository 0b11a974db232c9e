import { useEffect, useState } from "react";

/** A formula as the browser itself sets it; its source until the library has come, and where it cannot be read. */
export function Formula({ tex, isBlock }: { tex: string; isBlock: boolean }) {
  const [markup, setMarkup] = useState<string>();
  useEffect(() => {
    let isGone = false;
    const set = async () => {
      const { renderToString } = await import("katex");
      const limits = { throwOnError: false, trust: false, strict: false, maxSize: 20, maxExpand: 200 } as const;
      const made = renderToString(tex, { displayMode: isBlock, output: "mathml", ...limits });
      if (!isGone) setMarkup(made);
    };
    set().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [tex, isBlock]);
  if (markup === undefined) return <code>{tex}</code>;
  // The library escapes what it is given and trusts no command that could load or link anything.
  // oxlint-disable-next-line react/no-danger
  return <span dangerouslySetInnerHTML={{ __html: markup }} />;
}
