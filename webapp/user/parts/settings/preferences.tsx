import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { Bucket, type Preferences } from "#shared/user/schema.ts";
import { Checkbox, Switch } from "#shared/ui/controls/checkbox.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { useState } from "react";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import { NumberPreference } from "../number-preference.tsx";
import { TextPreference } from "../text-preference.tsx";

/** Updates some keys of one section of the preferences. */
const createSetter =
  <P extends "flashcards" | "assistant" | "features" | "sidebar" | "conversation">(part: P) =>
  (keys: Partial<Preferences[P]>) =>
    void changePreferences((all) => ({ ...all, [part]: { ...all[part], ...keys } }));

const setters = {
  flashcards: createSetter("flashcards"),
  assistant: createSetter("assistant"),
  features: createSetter("features"),
  sidebar: createSetter("sidebar"),
  conversation: createSetter("conversation"),
};

const buckets = () => Bucket.options.map((value) => ({ value, label: t(`account.bucket_${value}`) }));

export function StudyPreferences() {
  const { flashcards } = useAtomValue(preferencesAtom);
  const { quiz_question_types: types } = flashcards;
  return (
    <div className="settings-form">
      <Select
        label={t("account.bucket")}
        value={flashcards.bucket}
        options={buckets()}
        onValue={(bucket) => setters.flashcards({ bucket })}
      />
      <NumberPreference
        label={t("account.autoplay")}
        value={flashcards.autoplay_interval_seconds}
        min={1}
        max={120}
        onSave={(autoplay_interval_seconds) => setters.flashcards({ autoplay_interval_seconds })}
      />
      <Select
        label={t("account.quiz_bucket")}
        value={flashcards.quiz_bucket}
        options={buckets()}
        onValue={(quiz_bucket) => setters.flashcards({ quiz_bucket })}
      />
      <fieldset className="settings-choices">
        <legend>{t("account.quiz_types")}</legend>
        {(["multiple_choice", "true_false", "short_response", "fill_in_the_blank"] as const).map((type) => (
          <Checkbox
            key={type}
            label={t(`account.${type}`)}
            checked={types[type]}
            onValue={(isOn) => setters.flashcards({ quiz_question_types: { ...types, [type]: isOn } })}
          />
        ))}
      </fieldset>
    </div>
  );
}

export function TutorPreferences() {
  const { assistant, conversation, features } = useAtomValue(preferencesAtom);
  const [language, setLanguage] = useState<string>();
  return (
    <div className="settings-form">
      <TextField
        label={t("account.language")}
        maxLength={60}
        value={language ?? assistant.language}
        onChange={(event) => setLanguage(event.target.value)}
        onBlur={() => {
          const trimmed = language?.trim() ?? "";
          if (trimmed !== "" && trimmed !== assistant.language) setters.assistant({ language: trimmed });
          setLanguage(undefined);
        }}
      />
      <NumberPreference
        label={t("account.max_words")}
        value={conversation.max_words}
        min={20}
        max={2000}
        onSave={(max_words) => setters.conversation({ max_words: Math.round(max_words) })}
      />
      <TextPreference
        label={t("account.instructions")}
        hint={t("account.instructions_hint")}
        value={assistant.custom_instructions}
        onValue={(custom_instructions) => setters.assistant({ custom_instructions })}
      />
      <Switch
        label={t("account.completion")}
        checked={features.text_completion_enabled}
        onValue={(text_completion_enabled) => setters.features({ text_completion_enabled })}
      />
      <TextPreference
        label={t("account.completion_instructions")}
        value={features.text_completion_custom_instructions}
        onValue={(text_completion_custom_instructions) => setters.features({ text_completion_custom_instructions })}
      />
      <Switch
        label={t("account.show_tutor")}
        checked={!assistant.minimized}
        onValue={(isOn) => setters.assistant({ minimized: !isOn })}
      />
    </div>
  );
}

const sidebarSections = [
  ["favorites_minimized", "account.show_pins"],
  ["pages_minimized", "account.show_pages"],
  ["recents_minimized", "account.show_recents"],
  ["folders_minimized", "account.show_folders"],
  ["research_minimized", "account.show_research"],
] as const;

/** Layout preferences, which also change when the student uses the sidebar and the tutor. */
export function LayoutPreferences() {
  const { sidebar, assistant, hidePageOnboarding } = useAtomValue(preferencesAtom);
  return (
    <div className="settings-choices">
      <NumberPreference
        label={t("account.panel_width")}
        value={assistant.width}
        min={280}
        max={1200}
        onSave={(width) => setters.assistant({ width })}
      />
      <Switch
        label={t("user.sidebar")}
        checked={sidebar.minimized}
        onValue={(minimized) => setters.sidebar({ minimized })}
      />
      <Switch
        label={t("user.sidebar_pinned")}
        checked={sidebar.pinned}
        onValue={(pinned) => setters.sidebar({ pinned })}
      />
      {sidebarSections.map(([key, label]) => (
        <Switch
          key={key}
          label={t(label)}
          checked={!sidebar[key]}
          onValue={(isOn) => setters.sidebar({ [key]: !isOn })}
        />
      ))}
      <Switch
        label={t("account.show_all_pages")}
        checked={sidebar.content_show_all}
        onValue={(content_show_all) => setters.sidebar({ content_show_all })}
      />
      <Switch
        label={t("account.show_all_research")}
        checked={sidebar.research_show_all}
        onValue={(research_show_all) => setters.sidebar({ research_show_all })}
      />
      <Switch
        label={t("account.show_page_help")}
        checked={!hidePageOnboarding}
        onValue={(isOn) => void changePreferences((all) => ({ ...all, hidePageOnboarding: !isOn }))}
      />
    </div>
  );
}
