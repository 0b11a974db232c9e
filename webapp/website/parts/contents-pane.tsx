import { useAtomValue } from "jotai/react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { SectionKind, SiteKind, type SiteDocument, type SiteTheme, type WebsiteState } from "#shared/website/schema.ts";
import { addSection, editSite, isBusyAtom, makeSite, sourcesAtom } from "../state.ts";
import { SectionList } from "./section-list.tsx";
import { SourcePicker } from "./source-picker.tsx";
import "./contents-pane.css";

/** The forms for a site's document: its sources, its look and its sections. */
export function ContentsPane({ state }: { state: WebsiteState }) {
  const { document, project } = state;
  if (!document) return <p className="website-note">{t("website.no_document")}</p>;
  if (document.sections.length === 0) return <MakeForm projectId={project._id} name={project.name} />;
  return (
    <div className="website-forms">
      <LookForm key={`${document.title} ${document.subtitle}`} projectId={project._id} document={document} />
      <SectionList projectId={project._id} sections={document.sections} />
      <AddSection projectId={project._id} document={document} />
      <details className="website-again">
        <summary>{t("website.make_again")}</summary>
        <p className="website-note">{t("website.make_again_text")}</p>
        <MakeForm projectId={project._id} name={document.title} />
      </details>
    </div>
  );
}

function MakeForm({ projectId, name }: { projectId: string; name: string }) {
  const sources = useAtomValue(sourcesAtom);
  const isBusy = useAtomValue(isBusyAtom);
  const [kind, setKind] = useState<SiteKind>("study_guide");
  const [title, setTitle] = useState(name);
  const [chosen, setChosen] = useState<string[]>([]);
  return (
    <form
      className="website-forms"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.length > 0) void makeSite(projectId, { kind, title: title.trim(), sourceIds: chosen });
      }}
    >
      <fieldset className="website-kinds">
        <legend>{t("website.make_title")}</legend>
        {SiteKind.options.map((option) => (
          <label key={option}>
            <input type="radio" name="kind" checked={option === kind} onChange={() => setKind(option)} />
            <span>
              <strong>{t(`website.kind_${option}`)}</strong>
              <span>{t(`website.kind_${option}_text`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <SourcePicker sources={sources} chosen={chosen} onChosen={setChosen} />
      <TextField
        label={t("website.page_title")}
        value={title}
        maxLength={120}
        onChange={(event) => setTitle(event.target.value)}
      />
      <Button type="submit" variant="primary" disabled={chosen.length === 0} pending={isBusy}>
        {t("website.make")}
      </Button>
    </form>
  );
}

const accents: readonly SiteTheme["accent"][] = ["ink", "forest", "plum", "rust", "slate"];
const fonts: readonly SiteTheme["font"][] = ["serif", "sans"];

function LookForm({ projectId, document }: { projectId: string; document: SiteDocument }) {
  const isBusy = useAtomValue(isBusyAtom);
  const [title, setTitle] = useState(document.title);
  const [subtitle, setSubtitle] = useState(document.subtitle);
  const { theme } = document;
  const isChanged = title.trim() !== document.title || subtitle.trim() !== document.subtitle;
  const setTheme = (next: Partial<SiteTheme>) =>
    void editSite(projectId, [{ type: "set_theme", theme: { ...theme, ...next } }]);
  return (
    <form
      className="website-look"
      onSubmit={(event) => {
        event.preventDefault();
        if (title.trim() !== "")
          void editSite(projectId, [{ type: "set_title", title: title.trim(), subtitle: subtitle.trim() }]);
      }}
    >
      <TextField
        label={t("website.page_title")}
        value={title}
        maxLength={120}
        onChange={(event) => setTitle(event.target.value)}
      />
      <TextField
        label={t("website.subtitle")}
        value={subtitle}
        maxLength={300}
        onChange={(event) => setSubtitle(event.target.value)}
      />
      {isChanged && (
        <Button type="submit" disabled={title.trim() === ""} pending={isBusy}>
          {t("website.save")}
        </Button>
      )}
      <div className="website-pair">
        <Select
          label={t("website.accent")}
          value={theme.accent}
          disabled={isBusy}
          options={accents.map((value) => ({ value, label: t(`website.accent_${value}`) }))}
          onValue={(accent) => setTheme({ accent })}
        />
        <Select
          label={t("website.font")}
          value={theme.font}
          disabled={isBusy}
          options={fonts.map((value) => ({ value, label: t(`website.font_${value}`) }))}
          onValue={(font) => setTheme({ font })}
        />
      </div>
    </form>
  );
}

function AddSection({ projectId, document }: { projectId: string; document: SiteDocument }) {
  const sources = useAtomValue(sourcesAtom);
  const isBusy = useAtomValue(isBusyAtom);
  const [kind, setKind] = useState<SectionKind>("timeline");
  const [chosen, setChosen] = useState<string[]>(() => [
    ...new Set(document.sections.flatMap(({ sourceIds }) => sourceIds)),
  ]);
  return (
    <details className="website-again">
      <summary>{t("website.section_add")}</summary>
      <form
        className="website-forms"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen.length > 0) void addSection(projectId, kind, chosen);
        }}
      >
        <Select
          label={t("website.section_kind")}
          value={kind}
          options={SectionKind.options.map((value) => ({ value, label: t(`website.section_${value}`) }))}
          onValue={setKind}
        />
        <SourcePicker sources={sources} chosen={chosen} onChosen={setChosen} />
        <Button type="submit" disabled={chosen.length === 0} pending={isBusy}>
          {t("website.add")}
        </Button>
      </form>
    </details>
  );
}
