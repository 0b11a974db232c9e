import { useAtomValue } from "jotai/react";
import { ArrowDown, ArrowUp, Trash2, X } from "lucide-react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import type { SiteEdit, SiteSection } from "#shared/website/schema.ts";
import { editSite, isBusyAtom } from "../state.ts";

interface Props {
  projectId: string;
  sections: readonly SiteSection[];
}

const LINES_SHOWN = 50;

/** The sections of a site in their order, with their lines. */
export function SectionList({ projectId, sections }: Props) {
  const isBusy = useAtomValue(isBusyAtom);
  const edit = (one: SiteEdit) => {
    if (!isBusy) void editSite(projectId, [one]);
  };
  return (
    <section className="website-sections" aria-labelledby="website-sections">
      <h2 id="website-sections">{t("website.sections")}</h2>
      <ol role="list">
        {sections.map((section, index) => (
          <li key={section.id}>
            <SectionRow section={section} isFirst={index === 0} isLast={index === sections.length - 1} onEdit={edit} />
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
  onEdit: (edit: SiteEdit) => void;
}

function SectionRow({ section, isFirst, isLast, onEdit }: RowProps) {
  const { id: sectionId, title, items, kind } = section;
  return (
    <>
      <div className="website-section">
        <SectionTitle
          key={title}
          title={title}
          onTitle={(next) => onEdit({ type: "rename_section", sectionId, title: next })}
        />
        <IconButton
          label={t("website.section_up", { title })}
          icon={<ArrowUp aria-hidden />}
          disabled={isFirst}
          onClick={() => onEdit({ type: "move_section", sectionId, by: -1 })}
        />
        <IconButton
          label={t("website.section_down", { title })}
          icon={<ArrowDown aria-hidden />}
          disabled={isLast}
          onClick={() => onEdit({ type: "move_section", sectionId, by: 1 })}
        />
        <IconButton
          label={t("website.section_remove", { title })}
          icon={<Trash2 aria-hidden />}
          onClick={() => onEdit({ type: "remove_section", sectionId })}
        />
      </div>
      {kind === "sources" ? null : (
        <details className="website-lines">
          <summary>{t("website.section_items", { count: items.length })}</summary>
          <ul role="list" aria-label={t("website.section_lines", { title })}>
            {items.slice(0, LINES_SHOWN).map((item) => (
              <li key={item.id}>
                <span dir="auto">{item.text}</span>
                {item.label !== "" && <span className="website-cite">{item.label}</span>}
                <IconButton
                  label={t("website.line_remove")}
                  icon={<X aria-hidden />}
                  onClick={() => onEdit({ type: "remove_item", sectionId, itemId: item.id })}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function SectionTitle({ title, onTitle }: { title: string; onTitle: (title: string) => void }) {
  const [text, setText] = useState(title);
  const save = () => {
    if (text.trim() === "") setText(title);
    else if (text.trim() !== title) onTitle(text.trim());
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextField
        label={t("website.section_rename", { title })}
        labelHidden
        value={text}
        maxLength={120}
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
      />
    </form>
  );
}
