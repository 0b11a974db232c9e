import { useState } from "react";
import type { SiteItem } from "../schema.ts";
import { Cite, Words } from "./cite.tsx";
import { kitText } from "./texts.ts";

interface Props {
  items: readonly SiteItem[];
}

/** Sentences of the sources, each with its page. */
export function Summary({ items }: Props) {
  return (
    <ul className="lk-lines">
      {items.map((item) => (
        <li key={item.id}>
          <Words text={item.text} /> <Cite {...item} />
        </li>
      ))}
    </ul>
  );
}

interface SearchProps {
  value: string;
  onValue: (value: string) => void;
  label?: string;
}

/** A search field for a list. */
export function Search({ value, onValue, label = kitText("find_term") }: SearchProps) {
  return (
    <input
      type="search"
      className="lk-search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}

function countTerms(n: number): string {
  if (n === 0) return kitText("no_term");
  return n === 1 ? kitText("terms_one") : kitText("terms", { n });
}

/** Terms in alphabetical order, with a search. */
export function Glossary({ items }: Props) {
  const [words, setWords] = useState("");
  const wanted = words.trim().toLowerCase();
  const shown = items
    .filter(({ text, answer = "" }) => `${text} ${answer}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.text.localeCompare(b.text));
  return (
    <>
      <Search value={words} onValue={setWords} />
      <p className="lk-count" aria-live="polite">
        {countTerms(shown.length)}
      </p>
      <dl className="lk-terms">
        {shown.map((item) => (
          <div key={item.id}>
            <dt>
              <Words text={item.text} />
            </dt>
            <dd>
              <Words text={item.answer ?? ""} /> <Cite {...item} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Events in the order in which they happened; each date is shown once, above its events. */
export function Timeline({ items }: Props) {
  return (
    <ol className="lk-timeline">
      {items.map((item, index) => (
        <li key={item.id}>
          {items[index - 1]?.when !== item.when && <p className="lk-when">{item.when}</p>}
          <p>
            <Words text={item.text} /> <Cite {...item} />
          </p>
        </li>
      ))}
    </ol>
  );
}

/** The blocks of pages, as they were written. */
export function Pages({ items }: Props) {
  return (
    <div className="lk-pages">
      {items.map((item) => (
        <Block key={item.id} item={item} />
      ))}
    </div>
  );
}

function Block({ item }: { item: SiteItem }) {
  if (item.block === "heading")
    return (
      <div className="lk-heading">
        <h3>
          <Words text={item.text} />
        </h3>
        <Cite {...item} />
      </div>
    );
  if (item.block === "code")
    return (
      <div className="lk-code">
        <pre tabIndex={0}>
          <code>{item.text}</code>
        </pre>
        <Cite {...item} />
      </div>
    );
  return (
    <p className={item.block === "list_item" ? "lk-item" : undefined}>
      <Words text={item.text} /> <Cite {...item} />
    </p>
  );
}

/** What the site was made from. */
export function Sources({ items }: Props) {
  return (
    <>
      <p>{kitText("sources_text")}</p>
      <ul className="lk-lines">
        {items.map((item) => (
          <li key={item.id}>{item.text}</li>
        ))}
      </ul>
    </>
  );
}
