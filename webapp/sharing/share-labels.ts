import { t } from "#shared/messages/translate.ts";
import type { Licence, ReportReason, ShareType, Topic } from "#shared/sharing/schema.ts";

// The keys of `other` end in `_else`, because `_other` is the plural suffix.

export const topicNames: Record<Topic, string> = {
  biology: t("sharing.topic_biology"),
  chemistry: t("sharing.topic_chemistry"),
  physics: t("sharing.topic_physics"),
  mathematics: t("sharing.topic_mathematics"),
  computing: t("sharing.topic_computing"),
  engineering: t("sharing.topic_engineering"),
  medicine: t("sharing.topic_medicine"),
  psychology: t("sharing.topic_psychology"),
  economics: t("sharing.topic_economics"),
  law: t("sharing.topic_law"),
  history: t("sharing.topic_history"),
  languages: t("sharing.topic_languages"),
  literature: t("sharing.topic_literature"),
  arts: t("sharing.topic_arts"),
  other: t("sharing.topic_else"),
};

export const shareTypeNames: Record<ShareType, string> = {
  page: t("sharing.type_page"),
  component_pdf: t("sharing.type_component_pdf"),
  component_video: t("sharing.type_component_video"),
  component_flashcards: t("sharing.type_component_flashcards"),
  research_session: t("sharing.type_research_session"),
  podcast: t("sharing.type_podcast"),
  website_project: t("sharing.type_website_project"),
};

export const reportReasonNames: Record<ReportReason, string> = {
  copyright: t("sharing.reason_copyright"),
  personal: t("sharing.reason_personal"),
  hateful: t("sharing.reason_hateful"),
  spam: t("sharing.reason_spam"),
  other: t("sharing.reason_else"),
};

/** The short names of the CC BY licences are not translated. */
export const licenceNames: Record<Licence, string> = {
  none: t("sharing.licence_none"),
  cc0: t("sharing.licence_cc0"),
  cc_by: "CC BY 4.0",
  cc_by_sa: "CC BY-SA 4.0",
  cc_by_nc: "CC BY-NC 4.0",
  cc_by_nc_sa: "CC BY-NC-SA 4.0",
};

const deeds = {
  cc0: "publicdomain/zero/1.0",
  cc_by: "licenses/by/4.0",
  cc_by_sa: "licenses/by-sa/4.0",
  cc_by_nc: "licenses/by-nc/4.0",
  cc_by_nc_sa: "licenses/by-nc-sa/4.0",
} as const;

/** The URL of the licence's deed. */
export const licenceUrl = (licence: Exclude<Licence, "none">) => `https://creativecommons.org/${deeds[licence]}/`;
