import { ArrowDown, ArrowUp, Trash2, X } from "lucide-react";
import { useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import type { SiteEdit, SiteSection } from "#shared/website/schema.ts";
import { editSite } from "../state.ts";

interface Props {
  projectId: string;
  sections: readonly SiteSection[];
}

const LINES_SHOWN = 50;

/** The sections of a site in their order, with their lines. */
export function SectionList({ projectId, sections }: Props) {
  const applyEdit = (edit: SiteEdit) => editSite(projectId, [edit]);
  return (
    <section className="website-sections" aria-labelledby="website-sections">
      <h2 id="website-sections">{t("website.sections")}</h2>
      <ol role="list">
        {sections.map((section, index) => (
          <li key={section.id}>
            <SectionRow
              section={section}
              isFirst={index === 0}
              isLast={index === sections.length - 1}
              onEdit={applyEdit}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface RowProps {
  section: SiteSection;
  isFirst: boolean;
  isLast: boolean;
  onEdit: (edit: SiteEdit) => Promise<unknown>;
}

function SectionRow({ section, isFirst, isLast, onEdit }: RowProps) {
  const { id: sectionId, title, kind } = section;
  return (
    <>
      <div className="website-section">
        <SectionTitle title={title} onTitle={(next) => onEdit({ type: "rename_section", sectionId, title: next })} />
        <IconButton
          label={t("website.section_up", { title })}
          icon={<ArrowUp aria-hidden />}
          disabled={isFirst}
          onClick={() => void onEdit({ type: "move_section", sectionId, by: -1 })}
        />
        <IconButton
          label={t("website.section_down", { title })}
          icon={<ArrowDown aria-hidden />}
          disabled={isLast}
          onClick={() => void onEdit({ type: "move_section", sectionId, by: 1 })}
        />
        <IconButton
          label={t("website.section_remove", { title })}
          icon={<Trash2 aria-hidden />}
          onClick={() => void onEdit({ type: "remove_section", sectionId })}
        />
      </div>
      {kind === "sources" ? null : <SectionLines section={section} onEdit={onEdit} />}
    </>
  );
}

function SectionLines({ section, onEdit }: Pick<RowProps, "section" | "onEdit">) {
  const { id: sectionId, title, items } = section;
  const [showsAll, setShowsAll] = useState(false);
  return (
    <details className="website-lines">
      <summary>{t("website.section_items", { count: items.length })}</summary>
      <ul role="list" aria-label={t("website.section_lines", { title })}>
        {(showsAll ? items : items.slice(0, LINES_SHOWN)).map((item) => (
          <li key={item.id}>
            <span dir="auto">{item.text}</span>
            {item.label !== "" && <span className="website-cite">{item.label}</span>}
            <IconButton
              label={t("website.line_remove")}
              icon={<X aria-hidden />}
              onClick={() => void onEdit({ type: "remove_item", sectionId, itemId: item.id })}
            />
          </li>
        ))}
      </ul>
      {items.length > LINES_SHOWN && (
        <Button variant="quiet" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t("website.lines_less", { count: LINES_SHOWN }) : t("website.lines_all", { count: items.length })}
        </Button>
      )}
    </details>
  );
}

interface TitleProps {
  title: string;
  /** Resolves once the title is saved or refused. */
  onTitle: (title: string) => Promise<unknown>;
}

function SectionTitle({ title, onTitle }: TitleProps) {
  /** The typed title; undefined while the field shows the saved title. */
  const [draft, setDraft] = useState<string>();
  const saving = useRef<string>(undefined);
  const save = async () => {
    const next = draft?.trim() ?? "";
    // The Enter key and then leaving the field must save only once.
    if (next !== "" && next === saving.current) return;
    if (next !== "" && next !== title) {
      saving.current = next;
      await onTitle(next);
      saving.current = undefined;
    }
    // Keeps a title that was typed in the meantime.
    setDraft((current) => (current === draft ? undefined : current));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={t("website.section_rename", { title })}
        labelHidden
        value={draft ?? title}
        maxLength={120}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => void save()}
      />
    </form>
  );
}
