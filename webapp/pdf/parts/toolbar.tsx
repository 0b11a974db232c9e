import {
  BookOpen,
  ChevronLeft,
  ChevronRight,
  Crop,
  Keyboard,
  Minus,
  Moon,
  MoreHorizontal,
  MoveHorizontal,
  PanelLeft,
  PanelRight,
  Plus,
  RotateCcw,
  RotateCw,
  Search,
  Square,
  TextAlignStart,
} from "lucide-react";
import { useState, useSyncExternalStore, type ReactNode } from "react";
import { formatShare } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import type { MenuItem } from "#shared/ui/overlays/menu-items.ts";
import { formatShortcut } from "#webapp/app/format/format-shortcut.ts";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import { SidebarButton } from "#webapp/ui/sidebar/sidebar-button.tsx";
import { ACTUAL_SIZE_SCALE, type Flow } from "../viewer/flow.ts";
import { closeDocument } from "../close-document.ts";
import type { PagedDocument } from "../state.ts";
import { useDisplayedTitle } from "../suggest-title.ts";
import type { OutlinePanelState } from "../use-outline-panel.ts";
import type { Dimming } from "../use-dimmed-pages.ts";

interface Props {
  open: PagedDocument;
  onFind: () => void;
  onKeys: () => void;
  onPanel: () => void;
  onArea: () => void;
  isPanelOpen: boolean;
  outline: OutlinePanelState;
  dimming: Dimming;
  /** Additional menu items, such as export. */
  menuItems: readonly MenuItem[];
  onText: (() => void) | undefined;
}

function PageField({ flow }: { flow: Flow }) {
  const { page } = useSyncExternalStore(flow.subscribe, flow.view);
  const [draft, setDraft] = useState<string | null>(null);
  const jumpToPage = () => {
    const pageNumber = Number(draft);
    if (draft !== null && Number.isInteger(pageNumber) && pageNumber >= 1) flow.jump(pageNumber);
    setDraft(null);
  };
  return (
    <span className="pdf-page-field">
      <input
        className="field-control"
        inputMode="numeric"
        aria-label={t("pdf.jump")}
        value={draft ?? String(page)}
        style={{ width: `${String(flow.pageCount).length + 2.2}ch` }}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setDraft(event.target.value.replaceAll(/\D/g, ""))}
        onBlur={jumpToPage}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") setDraft(null);
          if (event.key !== "Enter") return;
          jumpToPage();
          document.getElementById("content")?.focus();
        }}
      />
      <span className="pdf-page-count">{t("pdf.of_pages", { count: flow.pageCount })}</span>
    </span>
  );
}

function viewItems(flow: Flow): MenuItem[] {
  const { spread } = flow.view();
  return [
    { label: t("pdf.zoom_in"), keys: "+", icon: <Plus aria-hidden />, onSelect: () => flow.zoomBy(1) },
    { label: t("pdf.zoom_out"), keys: "−", icon: <Minus aria-hidden />, onSelect: () => flow.zoomBy(-1) },
    {
      label: t("pdf.fit_width"),
      keys: "W",
      icon: <MoveHorizontal aria-hidden />,
      onSelect: () => flow.setZoom("width"),
    },
    { label: t("pdf.fit_page"), keys: "P", icon: <Square aria-hidden />, onSelect: () => flow.setZoom("page") },
    {
      label: spread === "one" ? t("pdf.two_pages") : t("pdf.one_page"),
      keys: "D",
      icon: <BookOpen aria-hidden />,
      onSelect: () => flow.setSpread(spread === "one" ? "two" : "one"),
    },
    { label: t("pdf.rotate_right"), keys: "R", icon: <RotateCw aria-hidden />, onSelect: () => flow.rotateBy(90) },
    {
      label: t("pdf.rotate_left"),
      keys: formatShortcut("Shift R"),
      icon: <RotateCcw aria-hidden />,
      onSelect: () => flow.rotateBy(-90),
    },
  ];
}

const dimItem = ({ isDimmed, toggle }: Dimming): MenuItem => ({
  label: t(isDimmed ? "pdf.undim" : "pdf.dim"),
  icon: <Moon aria-hidden />,
  onSelect: toggle,
});

function Bar({ children }: { children: ReactNode }) {
  return <header className="pdf-bar">{children}</header>;
}

interface BarProps {
  name: string;
  pageId: string;
  /** Comes before the title. */
  lead?: ReactNode;
  children?: ReactNode;
}

/** Back button and title, shared by all kinds of documents. */
export function DocumentBar({ name, pageId, lead, children }: BarProps) {
  return (
    <Bar>
      <SidebarButton />
      <IconButton label={t("pdf.back")} icon={<ChevronLeft aria-hidden />} onClick={() => closeDocument(pageId)} />
      {lead}
      <h1 className="pdf-name">{name}</h1>
      {children}
    </Bar>
  );
}

const OutlineButton = ({ isOpen, toggle }: OutlinePanelState) => (
  <IconButton label={t("pdf.outline_panel")} aria-expanded={isOpen} icon={<PanelLeft aria-hidden />} onClick={toggle} />
);

/** Opens the panel on the right; its label is visible where there is space. */
export const PanelButton = ({ isOpen, onPress }: { isOpen: boolean; onPress: () => void }) => (
  <Button
    variant="quiet"
    className="pdf-panel-button"
    title={t("pdf.panel")}
    aria-expanded={isOpen}
    icon={<PanelRight aria-hidden />}
    onClick={onPress}
  >
    <span>{t("pdf.panel")}</span>
  </Button>
);

export const DocumentMenu = ({ groups }: { groups: readonly (readonly MenuItem[])[] }) => (
  <Menu
    trigger={<IconButton label={t("pdf.more")} icon={<MoreHorizontal aria-hidden />} />}
    groups={groups.filter((items) => items.length > 0)}
  />
);

/** The actions that a narrow bar has no space for. */
const readingItems = ({ dimming, onFind, onText }: Pick<Props, "dimming" | "onFind" | "onText">): MenuItem[] => [
  { label: t("pdf.find_open"), keys: "/", icon: <Search aria-hidden />, onSelect: onFind },
  ...(onText ? [{ label: t("pdf.show_text"), icon: <TextAlignStart aria-hidden />, onSelect: onText }] : []),
  dimItem(dimming),
];

function PagingAndZoom({ flow }: { flow: Flow }) {
  const { scale, page } = useSyncExternalStore(flow.subscribe, flow.view);
  return (
    <>
      <span className="pdf-bar-group pdf-bar-paging">
        <IconButton
          className="pdf-wide"
          label={t("pdf.previous_page")}
          icon={<ChevronLeft aria-hidden />}
          disabled={page <= 1}
          onClick={() => flow.jump(page - 1)}
        />
        <PageField flow={flow} />
        <IconButton
          className="pdf-wide"
          label={t("pdf.next_page")}
          icon={<ChevronRight aria-hidden />}
          disabled={page >= flow.pageCount}
          onClick={() => flow.jump(page + 1)}
        />
      </span>
      <span className="pdf-bar-group pdf-bar-zoom">
        <IconButton label={t("pdf.zoom_out")} icon={<Minus aria-hidden />} onClick={() => flow.zoomBy(-1)} />
        <output className="pdf-zoom" aria-label={t("pdf.zoom")}>
          {formatShare(scale / ACTUAL_SIZE_SCALE)}
        </output>
        <IconButton label={t("pdf.zoom_in")} icon={<Plus aria-hidden />} onClick={() => flow.zoomBy(1)} />
      </span>
    </>
  );
}

export function Toolbar(props: Props) {
  const { open, onFind, onKeys, onPanel, onArea, isPanelOpen, outline, dimming, menuItems, onText } = props;
  const { flow } = open;
  const title = useDisplayedTitle(open);
  const isTouch = useMediaQuery("(pointer: coarse)");
  const keysItem: MenuItem = { label: t("pdf.keys"), keys: "?", icon: <Keyboard aria-hidden />, onSelect: onKeys };
  return (
    <DocumentBar name={title} pageId={open.pageId} lead={outline.fits && <OutlineButton {...outline} />}>
      <PagingAndZoom flow={flow} />
      <span className="pdf-bar-group">
        <IconButton
          className="pdf-wide"
          label={t("pdf.dim")}
          aria-pressed={dimming.isDimmed}
          icon={<Moon aria-hidden />}
          onClick={dimming.toggle}
        />
        {onText && (
          <IconButton
            className="pdf-narrow"
            label={t("pdf.show_text")}
            icon={<TextAlignStart aria-hidden />}
            onClick={onText}
          />
        )}
        <IconButton className="pdf-wide" label={t("pdf.find_open")} icon={<Search aria-hidden />} onClick={onFind} />
        <DocumentMenu
          groups={[
            viewItems(flow),
            readingItems(props),
            [{ label: t("pdf.area"), keys: "A", icon: <Crop aria-hidden />, onSelect: onArea }, ...menuItems],
            ...(isTouch ? [] : [[keysItem]]),
          ]}
        />
        <PanelButton isOpen={isPanelOpen} onPress={onPanel} />
      </span>
    </DocumentBar>
  );
}
