import { Check, Copy } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import { Code } from "#shared/ui/content/code.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import type { BlockProps } from "../../page-port.tsx";
import { notify } from "#webapp/app/alerts.ts";
import "./code-block.css";

/** Common languages; pasted code keeps any other language name. */
const LANGUAGES = [
  ["", "pages.code_plain"],
  ["bash", "Bash"],
  ["c", "C"],
  ["cpp", "C++"],
  ["csharp", "C#"],
  ["css", "CSS"],
  ["go", "Go"],
  ["xml", "HTML, XML"],
  ["java", "Java"],
  ["javascript", "JavaScript"],
  ["json", "JSON"],
  ["kotlin", "Kotlin"],
  ["markdown", "Markdown"],
  ["php", "PHP"],
  ["python", "Python"],
  ["r", "R"],
  ["ruby", "Ruby"],
  ["rust", "Rust"],
  ["sql", "SQL"],
  ["swift", "Swift"],
  ["typescript", "TypeScript"],
  ["yaml", "YAML"],
] as const;
const knownLanguages = new Set<string>(LANGUAGES.map(([value]) => value));

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** Tab inserts two spaces; after Escape, Tab moves the focus as usual. */
function indentOnTab(event: KeyboardEvent<HTMLTextAreaElement>, change: (code: string) => void): void {
  const field = event.currentTarget;
  if (event.key === "Escape") {
    field.dataset["leaving"] = "true";
    return;
  }
  const isLeaving = field.dataset["leaving"] === "true";
  delete field.dataset["leaving"];
  if (event.key !== "Tab" || event.shiftKey || isLeaving) return;
  event.preventDefault();
  const { selectionStart, selectionEnd } = field;
  field.setRangeText("  ", selectionStart, selectionEnd, "end");
  change(field.value);
}

export function CodeBlock({ block, edit }: BlockProps) {
  const [isCopied, setCopied] = useState(false);
  const code = textOf(block.content["code"]);
  const language = textOf(block.content["language"]);
  const change = (next: string) => edit({ ...block.content, code: next });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      notify({ message: t("pages.copy_failed"), type: "error" });
    }
  };
  return (
    <figure className="code-block">
      <figcaption>
        <select
          aria-label={t("pages.code_language")}
          value={language}
          onChange={(event) => edit({ ...block.content, language: event.target.value })}
        >
          {LANGUAGES.map(([value, name]) => (
            <option key={value} value={value}>
              {value === "" ? t("pages.code_plain") : name}
            </option>
          ))}
          {!knownLanguages.has(language) && <option value={language}>{language}</option>}
        </select>
        <IconButton
          label={t(isCopied ? "pages.code_copied" : "pages.code_copy")}
          icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
          onClick={() => void copy()}
        />
      </figcaption>
      <div className="code-block-scroll">
        <div className="code-block-field">
          <pre aria-hidden>
            <Code code={code} language={language} />
            {"\n"}
          </pre>
          <textarea
            aria-label={t("pages.code")}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            wrap="off"
            value={code}
            onChange={(event) => change(event.target.value)}
            onKeyDown={(event) => indentOnTab(event, change)}
          />
        </div>
      </div>
    </figure>
  );
}
