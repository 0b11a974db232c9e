import {
  Bell,
  CreditCard,
  FolderDown,
  Gift,
  KeyRound,
  Layers,
  type LucideIcon,
  MessageSquareText,
  Palette,
  Server,
  Shield,
  SlidersHorizontal,
  UserRound,
} from "lucide-react";
import { t } from "#shared/messages/translate.ts";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";

const icons: Record<string, LucideIcon> = {
  appearance: Palette,
  account: UserRound,
  security: KeyRound,
  plan: CreditCard,
  studying: Layers,
  reminders: Bell,
  writing: MessageSquareText,
  models: Server,
  admin: Shield,
  referral: Gift,
  data: FolderDown,
  advanced: SlidersHorizontal,
};

interface Props {
  sections: readonly { id: string; title: string }[];
  /** The id of the element of the section being read. */
  current: string | undefined;
  /** `movesFocus` is false for the select field, which stays focused while arrow keys change its option. */
  onChoose: (id: string, options: { movesFocus: boolean }) => void;
  query: string;
  onSearch: (query: string) => void;
}

/** The search field and the list of sections. Without space for a column, a select field replaces the list. */
export function SettingsSections({ sections, current, onChoose, query, onSearch }: Props) {
  return (
    <nav className="settings-nav" aria-label={t("user.settings_sections")}>
      <div className="settings-chooser">
        <Select
          label={t("user.settings_section")}
          labelHidden
          value={current?.replace("settings-", "") ?? "appearance"}
          options={sections.map(({ id, title }) => ({ value: id, label: title }))}
          onValue={(id) => onChoose(id, { movesFocus: false })}
        />
      </div>
      <TextField
        type="search"
        label={t("user.settings_search")}
        placeholder={t("user.settings_search")}
        labelHidden
        value={query}
        onChange={(event) => onSearch(event.target.value)}
      />
      <ul role="list">
        {sections.map(({ id, title }) => {
          const Icon = icons[id] ?? SlidersHorizontal;
          return (
            <li key={id}>
              <button
                type="button"
                aria-current={current === `settings-${id}` ? "true" : undefined}
                onClick={() => onChoose(id, { movesFocus: true })}
              >
                <Icon aria-hidden />
                {title}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
