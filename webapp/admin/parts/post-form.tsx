import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { postStateOf } from "#shared/admin/post-states.ts";
import type { AdminPost } from "#shared/admin/posts-contract.ts";
import { toFailureMessage } from "#shared/client/failure-messages.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { utcDay } from "#shared/user/days.ts";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import {
  emptyDraft,
  findGap,
  type PostDraft,
  type PostLanguage,
  readStoredDraft,
  removeStoredDraft,
  slugOf,
  storeDraft,
  toDraft,
  toNewPost,
} from "../post-draft.ts";
import { DeletePost } from "./delete-post.tsx";
import { PostText } from "./post-text.tsx";
import "./post-form.css";

interface Props {
  /** Undefined for a new post. */
  post: AdminPost | undefined;
  onSaved: (post: AdminPost) => void;
}

/** The draft of a post. Every change is stored in the browser until the post is saved. */
function usePostDraft(post: AdminPost | undefined) {
  const now = useNow();
  const saved = post ? toDraft(post) : emptyDraft(utcDay(now));
  const id = post?._id;
  const version = post?.version ?? 0;
  const [draft, setDraft] = useState(() => readStoredDraft(id, version) ?? saved);
  const [isRestored, setRestored] = useState(() => readStoredDraft(id, version) !== undefined);
  const change = (changes: Partial<PostDraft>) => {
    const changed = { ...draft, ...changes };
    setDraft(changed);
    storeDraft(id, { version, draft: changed });
  };
  const discard = () => {
    removeStoredDraft(id);
    setRestored(false);
    setDraft(saved);
  };
  return { draft, change, isRestored, discard };
}

async function save(post: AdminPost | undefined, draft: PostDraft, isPublished: boolean): Promise<AdminPost> {
  const input = toNewPost(draft, isPublished);
  const saved = post
    ? await adminClient.savePost({ ...input, id: post._id, version: post.version })
    : await adminClient.createPost(input);
  removeStoredDraft(post?._id);
  return saved.post;
}

const messageOf = (post: AdminPost, today: string) => t(`posts.saved_${postStateOf(post, today)}`);

/** Saves the draft. `error` is the message for a missing field or for a failed request. */
function useSave({ post, onSaved }: Props, draft: PostDraft, today: string) {
  const [pending, setPending] = useState<"draft" | "publish" | null>(null);
  const [error, setError] = useState<string | undefined>(undefined);
  const submit = async (isPublished: boolean) => {
    const gap = findGap(draft);
    setError(gap && t(`posts.missing_${gap}`));
    if (gap) return;
    setPending(isPublished ? "publish" : "draft");
    try {
      const saved = await save(post, draft, isPublished);
      notify({ type: "success", message: messageOf(saved, today) });
      onSaved(saved);
    } catch (failure) {
      setError(toFailureMessage(failure)?.message ?? t("admin.change_failed"));
    }
    setPending(null);
  };
  return { pending, error, submit };
}

/** Label of the main button: "schedule" even for a published post, which a future date takes offline until then. */
const submitName = (post: AdminPost | undefined, { date }: PostDraft, today: string) =>
  date > today ? "schedule" : post?.isPublished === true ? "save" : "publish";

export function PostForm({ post, onSaved }: Props) {
  const { draft, change, isRestored, discard } = usePostDraft(post);
  const [language, setLanguage] = useState<PostLanguage>(post && !post.summaries.en ? "de" : "en");
  const today = utcDay(useNow());
  const { pending, error, submit } = useSave({ post, onSaved }, draft, today);
  const navigate = useNavigate();
  return (
    <div className="post-form">
      {isRestored && <RestoredNotice onDiscard={discard} />}
      <Segmented
        label={t("posts.language")}
        value={language}
        options={(["en", "de"] as const).map((value) => ({ value, label: t(`posts.language_${value}`) }))}
        onValue={setLanguage}
      />
      <PostText
        key={language}
        text={draft.texts[language]}
        language={language}
        onChange={(text) => change({ texts: { ...draft.texts, [language]: text } })}
      />
      <Publication draft={draft} isPublished={post?.isPublished === true} onChange={change} />
      {post && post.formerSlugs.length > 0 && <Redirects slugs={post.formerSlugs} />}
      {error !== undefined && (
        <p className="admin-bad" role="alert">
          {error}
        </p>
      )}
      <div className="admin-actions">
        <Button variant="primary" pending={pending === "publish"} onClick={() => void submit(true)}>
          {t(`posts.${submitName(post, draft, today)}`)}
        </Button>
        <Button pending={pending === "draft"} onClick={() => void submit(false)}>
          {t(post?.isPublished === true ? "posts.unpublish" : "posts.save_draft")}
        </Button>
        {post && <DeletePost post={post} onDeleted={() => void navigate({ to: screenPath("adminBlog", {}) })} />}
      </div>
    </div>
  );
}

function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div className="admin-attention" role="status">
      <p>{t("posts.restored")}</p>
      <p>
        <Button variant="quiet" onClick={onDiscard}>
          {t("posts.discard")}
        </Button>
      </p>
    </div>
  );
}

/** The addresses that the post had before. */
const Redirects = ({ slugs }: { slugs: readonly string[] }) => (
  <p className="admin-quiet admin-words">
    {t("posts.redirects", { addresses: slugs.map((post) => screenPath("blogPost", { post })).join(", ") })}
  </p>
);

interface PublicationProps {
  draft: PostDraft;
  isPublished: boolean;
  onChange: (changes: Partial<PostDraft>) => void;
}

/** The address and the date, which all languages share. */
function Publication({ draft, isPublished, onChange }: PublicationProps) {
  return (
    <div className="admin-fields">
      <TextField
        label={t("posts.slug")}
        hint={t(isPublished ? "posts.slug_moved" : "posts.slug_hint")}
        value={draft.slug}
        placeholder={slugOf(draft)}
        onChange={(event) => onChange({ slug: event.target.value })}
      />
      <TextField
        label={t("posts.date")}
        hint={t("posts.date_hint")}
        type="date"
        required
        value={draft.date}
        onChange={(event) => event.target.value !== "" && onChange({ date: event.target.value })}
      />
    </div>
  );
}
