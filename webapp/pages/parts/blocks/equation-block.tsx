import { Pencil } from "lucide-react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Maths } from "#shared/ui/content/maths.tsx";
import type { BlockProps } from "../../page-port.tsx";
import "./equation-block.css";

/** A rendered formula with its editable LaTeX source and a live preview. */
export function EquationBlock({ block, edit }: BlockProps) {
  const latex = typeof block.content["latex"] === "string" ? block.content["latex"] : "";
  const [isOpen, setOpen] = useState(latex === "");
  const [error, setError] = useState<string | null>(null);
  return (
    <figure className="equation-block">
      <div className="equation-shown">
        {latex.trim() === "" ? (
          <span className="equation-empty">{t("pages.equation_empty")}</span>
        ) : (
          <Maths latex={latex} display onTrouble={setError} />
        )}
        <IconButton
          label={t("pages.equation_edit")}
          icon={<Pencil aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {isOpen && (
        <figcaption>
          <textarea
            // Opened for editing, so it is focused at once.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={latex !== ""}
            aria-label={t("pages.equation_source")}
            aria-invalid={error !== null}
            placeholder={String.raw`\frac{-b \pm \sqrt{b^2 - 4ac}}{2a}`}
            spellCheck={false}
            rows={Math.max(1, latex.split("\n").length)}
            maxLength={20_000}
            value={latex}
            onChange={(event) => edit({ ...block.content, latex: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) setOpen(false);
            }}
          />
          {error !== null && latex.trim() !== "" && (
            <p role="status" className="equation-trouble">
              {t("pages.equation_trouble", { trouble: error })}
            </p>
          )}
        </figcaption>
      )}
    </figure>
  );
}
