import { Download, ExternalLink, EyeOff, FileText, MoreHorizontal, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { FileContent } from "#shared/pages/schema.ts";
import { parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { openCitation } from "#webapp/library/citation-navigation.ts";
import { occlusionPictureAtom } from "#webapp/flashcards/occlusion-picture.ts";
import { store } from "#webapp/app/store.ts";
import { usePagePort, type BlockProps } from "../../page-port.tsx";
import { useFileUrl } from "#webapp/uploads/file-urls.ts";
import { isPicture, toPagePicture } from "../../pictures.ts";
import { countPages, downloadFile } from "../../session/open-page.ts";
import "./file-block.css";

/** Pictures need the session token, so they are fetched and shown as blobs. */
function Picture({ content }: { content: FileContent }) {
  const address = useFileUrl(content.file.id);
  const name = content.title || content.file.name;
  return address === undefined ? (
    <FileText className="file-icon" aria-label={name} />
  ) : (
    <img className="file-picture" src={address} alt={name} />
  );
}

/** Links a captured picture to its location in the document. */
function SourceCaption({ citation, name }: { citation: string; name: string }) {
  const cited = parseCitation(citation);
  if (cited?.type !== "pdf_citation") return null;
  return (
    <figcaption className="file-notes">
      {name}{" "}
      <CiteBadge
        place={t("pages.page_place", { page: cited.page })}
        label={t("pages.page_open", { page: cited.page })}
        onOpen={() => openCitation(cited)}
      />
    </figcaption>
  );
}

function usePageCountText(componentId: string, isDocument: boolean): string | undefined {
  const [pageCount, setPageCount] = useState<number>();
  useEffect(() => {
    if (!isDocument) return undefined;
    let isCancelled = false;
    const count = async () => {
      const counted = await countPages(componentId);
      if (!isCancelled) setPageCount(counted);
    };
    void count();
    return () => {
      isCancelled = true;
    };
  }, [componentId, isDocument]);
  return pageCount === undefined ? undefined : t("pages.page_count", { count: pageCount });
}

export function FileBlock({ pageId, block, remove }: BlockProps) {
  const pagePort = usePagePort();
  const parsed = FileContent.safeParse(block.content);
  const content = parsed.success ? parsed.data : undefined;
  const isImage = content !== undefined && isPicture(content);
  const pageCountText = usePageCountText(block._id, content !== undefined && !isImage);
  if (!content) return <p className="file-block">{t("pages.unknown_block")}</p>;
  const openOcclusion = () => store.set(occlusionPictureAtom, { pageId, ...toPagePicture(content) });
  const menu = (
    <Menu
      trigger={
        <IconButton label={t("pages.file_menu", { name: content.file.name })} icon={<MoreHorizontal aria-hidden />} />
      }
      groups={[
        [
          {
            label: t("pages.download"),
            icon: <Download aria-hidden />,
            onSelect: () => void downloadFile(content.file),
          },
          ...(isImage
            ? [{ label: t("flashcards.hide_parts"), icon: <EyeOff aria-hidden />, onSelect: openOcclusion }]
            : []),
        ],
        [{ label: t("pages.remove_block"), icon: <Trash2 aria-hidden />, danger: true, onSelect: remove }],
      ]}
    />
  );
  if (isImage)
    return (
      <figure className="picture-block">
        <Picture content={content} />
        {content.takenFrom && <SourceCaption citation={content.takenFrom.citation} name={content.title} />}
        <span className="picture-menu">{menu}</span>
      </figure>
    );
  return (
    <section className="file-block" aria-label={content.file.name}>
      <FileText className="file-icon" aria-hidden />
      <span className="file-words">
        <span className="file-name">{content.title || content.file.name}</span>
        {pageCountText !== undefined && <span className="file-notes">{pageCountText}</span>}
      </span>
      <span className="file-actions">
        <Button variant="quiet" icon={<ExternalLink aria-hidden />} onClick={() => pagePort.openFile(block._id)}>
          {t("pages.open_file")}
        </Button>
        <Button onClick={() => pagePort.openCardGenerator(block._id)}>{t("pages.make_cards")}</Button>
        {menu}
      </span>
    </section>
  );
}
