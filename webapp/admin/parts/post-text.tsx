import { useMemo, useState } from "react";
import { renderPost } from "#shared/marketing/post-markdown.ts";
import { t } from "#shared/messages/translate.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import type { PostDraft, PostLanguage } from "../post-draft.ts";

type Text = PostDraft["texts"][PostLanguage];

interface Props {
  text: Text;
  language: PostLanguage;
  onChange: (text: Text) => void;
}

/** The text of a post in one language: fields for its Markdown, or a preview. */
export function PostText({ text, language, onChange }: Props) {
  const [view, setView] = useState<"write" | "preview">("write");
  const change = (changes: Partial<Text>) => onChange({ ...text, ...changes });
  return (
    <>
      <div className="admin-fields">
        <TextField
          label={t("posts.title")}
          lang={language}
          maxLength={200}
          value={text.title}
          onChange={(event) => change({ title: event.target.value })}
        />
        <TextField
          label={t("posts.topic")}
          hint={t("posts.topic_hint")}
          lang={language}
          maxLength={60}
          value={text.topicName}
          onChange={(event) => change({ topicName: event.target.value })}
        />
      </div>
      <TextField
        label={t("posts.description")}
        hint={t("posts.description_hint")}
        lang={language}
        maxLength={300}
        value={text.description}
        onChange={(event) => change({ description: event.target.value })}
      />
      <Segmented
        label={t("posts.view")}
        value={view}
        options={[
          { value: "write", label: t("posts.write") },
          { value: "preview", label: t("posts.preview") },
        ]}
        onValue={setView}
      />
      {view === "write" ? (
        <TextArea
          label={t("posts.body")}
          hint={t("posts.body_hint")}
          className="post-source"
          lang={language}
          rows={18}
          maxLength={200_000}
          value={text.body}
          onChange={(event) => change({ body: event.target.value })}
        />
      ) : (
        <Preview text={text} language={language} />
      )}
    </>
  );
}

/** The same HTML that readers get, except that its links cannot be clicked. */
function Preview({ text: { title, description, body }, language }: Omit<Props, "onChange">) {
  const html = useMemo(() => renderPost(body), [body]);
  return (
    <article className="post-preview" lang={language} inert>
      <h2 className="post-preview-title">{title || t("posts.untitled")}</h2>
      {description !== "" && <p className="post-preview-lead">{description}</p>}
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </article>
  );
}
