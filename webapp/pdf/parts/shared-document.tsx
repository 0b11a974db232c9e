import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { logWarning } from "#webapp/app/log.ts";
import { PdfFile } from "../viewer/pdf-file.ts";
import "../viewer/text-layer.css";
import "./shared-document.css";

/** Public view of a shared document; pages are painted as they come near the viewport. */
export function SharedDocument({ path, startsCollapsed }: { path: string; startsCollapsed: boolean }) {
  const [isCollapsed, setCollapsed] = useState(startsCollapsed);
  const [file, setFile] = useState<PdfFile>();
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let opened: PdfFile | undefined;
    let isCancelled = false;
    const open = async () => {
      const { readDocument } = await import("../viewer/pdfjs.ts");
      opened = await PdfFile.open(readDocument(path, undefined));
      if (isCancelled) await opened.close();
      else setFile(opened);
    };
    open().catch((error: unknown) => {
      logWarning("Could not open a shared document", error);
      if (!isCancelled) setBroken(true);
    });
    return () => {
      isCancelled = true;
      void opened?.close();
    };
  }, [path]);
  if (isBroken) return <p role="alert">{t("pdf.shared_broken")}</p>;
  if (!file) return <Skeleton label={t("pdf.shared_opening")} lines={[100, 100, 80]} height={60} />;
  const isCut = isCollapsed && file.pageCount > 1;
  const pages = Array.from({ length: isCut ? 1 : file.pageCount }, (_, index) => index + 1);
  return (
    <div className="shared-pages">
      {pages.map((page) => (
        <SharedPage key={page} file={file} page={page} />
      ))}
      {isCut && (
        <Button className="shared-pages-all" onClick={() => setCollapsed(false)}>
          {t("pdf.shared_all_pages", { count: file.pageCount })}
        </Button>
      )}
    </div>
  );
}

const MAX_SCALE = 2;

function SharedPage({ file, page }: { file: PdfFile; page: number }) {
  const ref = useRef<HTMLElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const host = ref.current;
    if (!host) return undefined;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: "100% 0px",
    });
    observer.observe(host);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const host = ref.current;
    if (!isNear || !host) return undefined;
    let isCancelled = false;
    let resizeObserver: ResizeObserver | undefined;
    const paint = async () => {
      const proxy = await file.page(page);
      if (isCancelled) return;
      const natural = proxy.getViewport({ scale: 1 });
      const scale = (host.clientWidth / natural.width) * Math.min(devicePixelRatio, MAX_SCALE);
      const viewport = proxy.getViewport({ scale });
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width: viewport.width, height: viewport.height });
      host.style.aspectRatio = `${natural.width} / ${natural.height}`;
      await proxy.render({ canvas, viewport }).promise;
      if (isCancelled) return;
      const textLayer = document.createElement("div");
      textLayer.className = "textLayer";
      host.replaceChildren(canvas, textLayer);
      const updateScale = () =>
        host.style.setProperty("--total-scale-factor", String(host.clientWidth / natural.width));
      updateScale();
      resizeObserver = new ResizeObserver(updateScale);
      resizeObserver.observe(host);
      const { TextLayer } = await import("../viewer/pdfjs.ts");
      const textContentSource = await file.getPageContent(page);
      await new TextLayer({ textContentSource, container: textLayer, viewport: natural }).render();
    };
    paint().catch((error: unknown) => !isCancelled && logWarning("Could not paint a shared page", error));
    return () => {
      isCancelled = true;
      resizeObserver?.disconnect();
      host.replaceChildren();
      void file.releaseExcept((number) => number !== page);
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
