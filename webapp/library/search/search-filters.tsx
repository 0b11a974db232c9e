import { useAtomValue } from "jotai/react";
import { X } from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { foldersAtom } from "../folders.ts";

const KINDS = ["page", "deck", "file", "video", "podcast", "research", "folder"] as const;
const TIMES = { day: "after:1d", week: "after:7d", month: "after:30d", year: "after:1y" } as const;
const timeNames = Object.keys(TIMES) as (keyof typeof TIMES)[];

/** The filters of a search. An empty value means no filter. */
export interface SearchFilters {
  kind: "" | (typeof KINDS)[number];
  /** The id of a folder. */
  folder: string;
  time: "" | keyof typeof TIMES;
}

export const noFilters: SearchFilters = { kind: "", folder: "", time: "" };

/** Builds the query. Typed filters come last, so that they override the chosen filters. */
export const buildQuery = (typed: string, { kind, folder, time }: SearchFilters): string =>
  [kind && `kind:${kind}`, folder && `folder:${folder}`, time && TIMES[time], typed].filter(Boolean).join(" ");

interface Props {
  filters: SearchFilters;
  onFilters: (filters: SearchFilters) => void;
}

/** The filters by kind, folder and time. */
export function SearchFilterBar({ filters, onFilters }: Props) {
  const folders = useAtomValue(foldersAtom) ?? [];
  const named = folders.filter(({ is_archived: isArchived, title }) => !isArchived && title !== "");
  const isLimited = Object.values(filters).some((value) => value !== "");
  return (
    <div className="search-filters" role="group" aria-label={t("library.search_filters")}>
      <Select
        label={t("library.search_kind")}
        labelHidden
        data-set={filters.kind !== ""}
        value={filters.kind}
        onValue={(kind) => onFilters({ ...filters, kind })}
        options={[
          { value: "", label: t("library.search_kind") },
          ...KINDS.map((value) => ({ value, label: t(`library.search_kind_${value}`) })),
        ]}
      />
      {named.length > 0 && (
        <Select
          label={t("library.folder")}
          labelHidden
          data-set={filters.folder !== ""}
          value={filters.folder}
          onValue={(folder) => onFilters({ ...filters, folder })}
          options={[
            { value: "", label: t("library.folder") },
            ...named.map(({ _id: value, title: label }) => ({ value, label })),
          ]}
        />
      )}
      <Select
        label={t("library.search_time")}
        labelHidden
        data-set={filters.time !== ""}
        value={filters.time}
        onValue={(time) => onFilters({ ...filters, time })}
        options={[
          { value: "", label: t("library.search_time") },
          ...timeNames.map((value) => ({ value, label: t(`library.search_time_${value}`) })),
        ]}
      />
      {isLimited && (
        <IconButton label={t("library.search_clear")} icon={<X aria-hidden />} onClick={() => onFilters(noFilters)} />
      )}
    </div>
  );
}
