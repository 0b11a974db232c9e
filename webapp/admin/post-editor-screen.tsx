import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import type { AdminPost } from "#shared/admin/posts-contract.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { AdminFrame, LoadError } from "./admin-frame.tsx";
import { PostForm } from "./parts/post-form.tsx";

/** `/admin/blog/create`: creates a post, or edits the post that `?post=` names. */
export function PostEditorScreen() {
  const { post: id }: { post?: unknown } = useSearch({ strict: false });
  return (
    <AdminFrame tab="adminBlog" title={t(typeof id === "string" ? "posts.edit" : "posts.new")}>
      {typeof id === "string" ? <SavedPost key={id} id={id} /> : <NewPostForm />}
    </AdminFrame>
  );
}

function NewPostForm() {
  const navigate = useNavigate();
  const open = ({ _id: post }: AdminPost) =>
    void navigate({ to: screenPath("adminBlogCreate", {}), search: { post }, replace: true });
  return <PostForm post={undefined} onSaved={open} />;
}

function SavedPost({ id }: { id: string }) {
  const read = useCallback(async () => (await adminClient.getPost({ id })).post, [id]);
  const { answer, retry, setReady } = useAsyncValue(read);
  if (answer.state === "loading") return <Skeleton label={t("common.loading")} lines={[60, 100, 100]} height={32} />;
  if (answer.state === "failed") return <LoadError error={answer.error} onRetry={retry} />;
  return <PostForm key={answer.value.version} post={answer.value} onSaved={setReady} />;
}
