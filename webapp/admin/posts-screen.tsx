import { Link } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { isInState, postStateOf } from "#shared/admin/post-states.ts";
import { type ListedPost, POST_STATES } from "#shared/admin/posts-contract.ts";
import { formatDay } from "#shared/marketing/format-day.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { utcDay } from "#shared/user/days.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { CsvButton } from "./lists/csv-button.tsx";
import { PagedTable } from "./lists/paged-table.tsx";
import type { Column } from "./lists/stacked-table.tsx";

const titleOf = ({ summaries }: ListedPost) => (summaries.en ?? summaries.de)?.title ?? "";
const topicOf = ({ summaries }: ListedPost) => (summaries.en ?? summaries.de)?.topicName ?? "";

const columnsAt = (today: string): readonly Column<ListedPost>[] => [
  { title: t("posts.title"), cell: (post) => <EditLink post={post} /> },
  { title: t("posts.state"), cell: (post) => <PostState post={post} today={today} /> },
  { title: t("posts.date"), cell: ({ date }) => formatDay(date, document.documentElement.lang) },
  { title: t("posts.topic"), cell: topicOf },
  { title: t("posts.languages"), cell: ({ summaries }) => Object.keys(summaries).join(", ") },
  { title: t("posts.address"), cell: (post) => <PostLink post={post} today={today} /> },
];

/** `/admin/blog`: all posts with their states, and links to the editor. */
export function PostsScreen() {
  const now = useNow();
  const [state, setState] = useState<(typeof POST_STATES)[number] | "all">("all");
  const filter = state === "all" ? {} : { state };
  const read = useCallback(
    async (after: string | undefined) => {
      const { posts, next } = await adminClient.listPosts({
        ...(state !== "all" && { state }),
        ...(after !== undefined && { after }),
      });
      return { items: posts, next };
    },
    [state],
  );
  const today = utcDay(now);
  const create = (
    <Link className="button button-primary" to={screenPath("adminBlogCreate", {})}>
      {t("posts.new")}
    </Link>
  );
  return (
    <AdminFrame tab="adminBlog" actions={create}>
      <div className="admin-filters">
        <Segmented
          label={t("posts.state")}
          value={state}
          options={(["all", ...POST_STATES] as const).map((value) => ({
            value,
            label: value === "all" ? t("figures.all") : t(`posts.${value}`),
          }))}
          onValue={setState}
        />
        <CsvButton name="posts" read={() => adminClient.exportPosts(filter)} />
      </div>
      <PagedTable
        label={t("posts.posts")}
        columns={columnsAt(today)}
        read={read}
        empty={{ title: t("posts.none"), text: t("posts.none_text") }}
      />
    </AdminFrame>
  );
}

function EditLink({ post }: { post: ListedPost }) {
  return (
    <Link className="admin-link" to={screenPath("adminBlogCreate", {})} search={{ post: post._id }}>
      {titleOf(post)}
    </Link>
  );
}

function PostState({ post, today }: { post: ListedPost; today: string }) {
  const state = postStateOf(post, today);
  return state === "published" ? t("posts.published") : <Chip>{t(`posts.${state}`)}</Chip>;
}

/** A post that is not public yet has no page to link to. */
function PostLink({ post, today }: { post: ListedPost; today: string }) {
  const path = screenPath("blogPost", { post: post.slug });
  return isInState("published", post, today) ? <a href={path}>{path}</a> : <span className="admin-quiet">{path}</span>;
}
