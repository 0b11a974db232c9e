import type { listExports } from "#shared/admin/exports-contract.ts";
import { postStateOf } from "#shared/admin/post-states.ts";
import { screenPath } from "#shared/screens.ts";
import { utcDay } from "#shared/user/days.ts";
import { toCsvLine } from "#shared/csv.ts";
import { shortInviteCode } from "#shared/auth/contract.ts";
import { type InviteDoc, inviteStateOf, listInvites } from "#api/auth/invites-store.ts";
import { type BillingNoteDoc, listNotes } from "#api/billing/store.ts";
import { listHelpRatings } from "#api/feedback/store.ts";
import { users } from "#api/http/authenticate.ts";
import type { Handlers } from "#api/http/handler.ts";
import { listPostSummaries, type PostSummary } from "#api/marketing/posts-store.ts";
import { type FiledReport, listFiledReports } from "#api/sharing/reports.ts";
import { writeCsv } from "../csv.ts";

type RecordExports = Pick<
  Handlers<typeof listExports>,
  "exportPosts" | "exportBillingNotes" | "exportReports" | "exportHelpRatings" | "exportInvites"
>;

const toTime = (at: number) => new Date(at).toISOString();

/** Posts, payments, reports, help ratings and invitations, with the fields that their screens show. */
export const recordExports: RecordExports = {
  async *exportPosts({ store, clock }, filter) {
    const today = utcDay(clock.now());
    yield* writeCsv<PostSummary>({
      head: ["day", "state", "title_en", "title_de", "topic", "address"],
      read: (last, limit) => listPostSummaries(store, { ...filter, today, after: last?._id, limit }),
      toRow: (post) => [
        post.date,
        postStateOf(post, today),
        post.summaries.en?.title ?? null,
        post.summaries.de?.title ?? null,
        post.topic,
        screenPath("blogPost", { post: post.slug }),
      ],
    });
  },

  async *exportBillingNotes({ store }) {
    yield* writeCsv<BillingNoteDoc & { email: string | null }>({
      head: ["time", "kind", "reason", "email"],
      async read(last, limit) {
        const notes = await listNotes(store, { after: last, limit });
        const ids = [...new Set(notes.map(({ ownerId }) => ownerId))];
        const owners = await store.collection(users).find({ _id: { in: ids } }, { fields: ["email"] });
        const emails = new Map(owners.map(({ _id, email }) => [_id, email]));
        return notes.map((note) => ({ ...note, email: emails.get(note.ownerId) ?? null }));
      },
      toRow: ({ createdAt, kind, reason, email }) => [toTime(createdAt), kind, reason, email],
    });
  },

  async *exportReports({ store }, filter) {
    yield* writeCsv<FiledReport>({
      head: ["time", "reason", "title", "text", "address"],
      read: (last, limit) => listFiledReports(store, filter, { after: last?._id, limit }),
      toRow: ({ createdAt, reason, title, text, shareId }) => [
        toTime(createdAt),
        reason,
        title,
        text,
        screenPath("share", { share: shareId }),
      ],
    });
  },

  async *exportHelpRatings({ store }, filter) {
    yield toCsvLine(["article", "yes", "no"]);
    for (const { path, yes, no } of await listHelpRatings(store, filter)) yield toCsvLine([path, yes, no]);
  },

  async *exportInvites({ store, clock }, filter) {
    const now = clock.now();
    yield* writeCsv<InviteDoc>({
      head: ["code_begins_with", "email", "state", "created", "expires"],
      read: (last, limit) => listInvites(store, { ...filter, now }, { after: last, limit }),
      toRow: (invite) => [
        shortInviteCode(invite._id),
        invite.emailLower,
        inviteStateOf(invite, now),
        toTime(invite.createdAt),
        toTime(invite.expiresAt),
      ],
    });
  },
};
