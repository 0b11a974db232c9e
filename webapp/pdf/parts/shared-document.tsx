import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { logTrouble } from "#webapp/app/log.ts";
import { PdfFile } from "../viewer/pdf-file.ts";
import "../viewer/text-layer.css";
import "./shared-document.css";

/** Public view of a shared document; pages are painted as they come near the viewport. */
export function SharedDocument({ path }: { path: string }) {
  const [file, setFile] = useState<PdfFile>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let opened: PdfFile | undefined;
    let isGone = false;
    const open = async () => {
      const { readDocument } = await import("../viewer/pdfjs.ts");
      opened = await PdfFile.open(readDocument(path, undefined));
      if (isGone) await opened.close();
      else setFile(opened);
    };
    open().catch((error: unknown) => {
      logTrouble("Could not open a shared document", error);
      if (!isGone) setBroken(true);
    });
    return () => {
      isGone = true;
      void opened?.close();
    };
  }, [path]);
  if (isBroken) return <p role="alert">{t("pdf.shared_broken")}</p>;
  if (!file) return <Skeleton label={t("pdf.shared_opening")} lines={[100, 100, 80]} height={60} />;
  const pages = Array.from({ length: file.pageCount }, (_, index) => index + 1);
  return (
    <div className="shared-pages">
      {pages.map((page) => (
        <SharedPage key={page} file={file} page={page} />
      ))}
    </div>
  );
}

const MAX_SCALE = 2;

function SharedPage({ file, page }: { file: PdfFile; page: number }) {
  const ref = useRef<HTMLElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const place = ref.current;
    if (!place) return undefined;
    const watch = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: "100% 0px",
    });
    watch.observe(place);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const place = ref.current;
    if (!isNear || !place) return undefined;
    let isGone = false;
    let fitting: ResizeObserver | undefined;
    const paint = async () => {
      const proxy = await file.page(page);
      if (isGone) return;
      const natural = proxy.getViewport({ scale: 1 });
      const scale = (place.clientWidth / natural.width) * Math.min(devicePixelRatio, MAX_SCALE);
      const viewport = proxy.getViewport({ scale });
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width: viewport.width, height: viewport.height });
      place.style.aspectRatio = `${natural.width} / ${natural.height}`;
      await proxy.render({ canvas, viewport }).promise;
      if (isGone) return;
      const words = document.createElement("div");
      words.className = "textLayer";
      place.replaceChildren(canvas, words);
      const fit = () => place.style.setProperty("--total-scale-factor", String(place.clientWidth / natural.width));
      fit();
      fitting = new ResizeObserver(fit);
      fitting.observe(place);
      const { TextLayer } = await import("../viewer/pdfjs.ts");
      const textContentSource = await file.contentOf(page);
      await new TextLayer({ textContentSource, container: words, viewport: natural }).render();
    };
    paint().catch((error: unknown) => !isGone && logTrouble("Could not paint a shared page", error));
    return () => {
      isGone = true;
      fitting?.disconnect();
      place.replaceChildren();
      void file.releaseBut((other) => other !== page);
    };
  }, [isNear, file, page]);
  const { width, height } = file.firstSize;
  return (
    <section
      ref={ref}
      className="shared-page"
      aria-label={t("pdf.shared_page", { page, pages: file.pageCount })}
      style={{ aspectRatio: `${width} / ${height}` }}
    />
  );
}
