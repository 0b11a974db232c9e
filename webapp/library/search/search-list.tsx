import { useDeferredValue, useId, useMemo } from "react";
import { t } from "#shared/messages/translate.ts";
import { SearchRow, type SearchOption } from "./search-row.tsx";

export interface SearchSection {
  title: string;
  /** The index of the section's first option in the whole list. */
  first: number;
  options: readonly SearchOption[];
}

/** The number of rows that are rendered immediately. Other rows are rendered after them. */
const IMMEDIATE_ROWS = 12;

interface Props {
  sections: readonly SearchSection[];
  query: string;
  activeIndex: number;
  listId: string;
  onOpen: (option: SearchOption) => void;
  onPoint: (index: number) => void;
}

/** The search results, with one group for each kind of result. */
export function SearchList({ sections, query, ...row }: Props) {
  const current = useMemo(() => ({ sections, query }), [sections, query]);
  const deferred = useDeferredValue(current);
  const isBehind = deferred !== current;
  return (
    <div id={row.listId} role="listbox" aria-label={t("library.search_results")} className="search-list">
      {sections.map(({ title, options, first }) => {
        const shown = isBehind ? options.slice(0, Math.max(0, IMMEDIATE_ROWS - first)) : options;
        return shown.length > 0 && <Section key={title} {...row} {...{ title, query, first }} options={shown} />;
      })}
    </div>
  );
}

type SectionProps = Omit<Props, "sections"> & SearchSection;

function Section({ title, options, first, query, activeIndex, listId, onOpen, onPoint }: SectionProps) {
  const headId = useId();
  return (
    <div role="group" aria-labelledby={headId}>
      <p id={headId} role="presentation" className="search-section">
        {title}
      </p>
      {options.map((option, offset) => (
        <SearchRow
          key={option.key}
          id={`${listId}-${first + offset}`}
          index={first + offset}
          isActive={first + offset === activeIndex}
          {...{ option, query, onOpen, onPoint }}
        />
      ))}
    </div>
  );
}
