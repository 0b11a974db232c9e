import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { FilterSheet } from "#webapp/ui/filter-sheet.tsx";
import "./list-controls.css";

/** The title of a list and its actions. */
export const ListHead = ({ title, children }: { title: string; children: ReactNode }) => (
  <header className="list-head">
    <h1>{title}</h1>
    <div className="list-doors">{children}</div>
  </header>
);

/** The filter, order and search text of a list. */
export interface ListChoice<F extends string, S extends string> {
  filter: F;
  sort: S;
  words: string;
}

interface SelectOptions<V extends string> {
  label: string;
  options: readonly { value: V; label: string }[];
}

interface Props<F extends string, S extends string> {
  choice: ListChoice<F, S>;
  onChoice: (choice: ListChoice<F, S>) => void;
  filters: SelectOptions<F>;
  sorts: SelectOptions<S>;
  /** Label of the search field. */
  search: string;
}

export function ListChoices<F extends string, S extends string>(props: Props<F, S>) {
  const { choice, onChoice, filters, sorts, search } = props;
  return (
    <div className="list-choices">
      <Segmented {...filters} value={choice.filter} onValue={(filter) => onChoice({ ...choice, filter })} />
      <FilterSheet label={t("library.search_and_sort")} isSet={choice.words !== ""}>
        <div className="list-narrow">
          <TextField
            label={search}
            labelHidden
            type="search"
            placeholder={search}
            value={choice.words}
            onChange={(event) => onChoice({ ...choice, words: event.target.value })}
          />
          <Select {...sorts} labelHidden value={choice.sort} onValue={(sort) => onChoice({ ...choice, sort })} />
        </div>
      </FilterSheet>
    </div>
  );
}
