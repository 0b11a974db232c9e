import { useId, useRef, useState } from "react";
import { word } from "../tools/words.ts";
import { MAX_STYLE_BYTES, readStyle, type OwnStyle } from "./own-style.ts";
import { StyleSearch } from "./style-search.tsx";
import { styles, type StyleId } from "./styles.ts";

interface Props {
  chosen: StyleId | OwnStyle;
  onChoose: (style: StyleId | OwnStyle) => void;
}

/** Chooses a style: a bundled style, one found by name, or one from a file. */
export function StyleField({ chosen, onChoose }: Props) {
  const id = useId();
  const file = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLSelectElement>(null);
  const [own, setOwn] = useState<readonly OwnStyle[]>([]);
  const [problem, setProblem] = useState("");
  const add = (style: OwnStyle) => {
    setOwn([...own.filter(({ id: otherId }) => otherId !== style.id), style]);
    onChoose(style);
  };
  const open = async (opened: File) => {
    const style = opened.size > MAX_STYLE_BYTES ? "no_style" : readStyle(await opened.text());
    setProblem(typeof style === "string" ? word(`style_${style}`) : "");
    if (typeof style !== "string") add(style);
  };
  return (
    <div className="citation-style">
      <label htmlFor={id}>{word("citation_style")}</label>
      <select
        ref={list}
        id={id}
        value={typeof chosen === "string" ? chosen : chosen.id}
        onChange={({ target: { value } }) => onChoose(own.find((style) => style.id === value) ?? (value as StyleId))}
      >
        {[...styles, ...own].map((style) => (
          <option key={style.id} value={style.id}>
            {style.name}
          </option>
        ))}
      </select>
      <StyleSearch
        onFound={(style) => {
          add(style);
          // The focused list of results has been removed, so the focus moves to the list of styles.
          list.current?.focus();
        }}
      />
      <div className="citation-own">
        <button type="button" className="button button-quiet" onClick={() => file.current?.click()}>
          {word("style_open")}
        </button>
        <input
          ref={file}
          type="file"
          accept=".csl,.xml"
          aria-label={word("style_open")}
          className="visually-hidden"
          tabIndex={-1}
          onChange={({ target }) => {
            const [opened] = target.files ?? [];
            target.value = "";
            if (opened) void open(opened);
          }}
        />
        <p role="status" className="tool-hint">
          {problem}
        </p>
      </div>
    </div>
  );
}
