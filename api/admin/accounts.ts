import type { accounts, AdminAccount } from "#shared/admin/accounts-contract.ts";
import { Failure } from "#shared/contract/failure.ts";
import { COUNTED_LIMITS } from "#shared/billing/daily-usage.ts";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import type { Usage } from "#shared/user/schema.ts";
import { sumStoredBytes } from "#api/blobs/file-records.ts";
import { readUsedBytes, storageLimit } from "#api/blobs/storage-quota.ts";
import { isAdmin, isAdminBySetting, type UserDoc, users } from "#api/http/authenticate.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { endAccountSessions } from "#api/http/sessions/end-sessions.ts";
import { listSessions } from "#api/http/sessions/session-store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import { PAGE_SIZE, toPage } from "#api/store/paging/to-page.ts";
import { beginsWith } from "#api/store/paging/begins-with.ts";
import { readUsage } from "#api/user/service.ts";
import { recordAction } from "./audit-log.ts";
import { writeCsv } from "./csv.ts";
import { requireAccount } from "./require-account.ts";

/** What this feature needs from sign-in, passed in by `api/handlers.ts`. */
interface SignInDeps {
  /** Checks the administrator's own password, or that the sign-in is recent if the account has no password. */
  requireOwner: (ctx: UserCtx, password: string | undefined) => Promise<unknown>;
  /** Mails the account a reset link, or returns the link if no mail server is set up. */
  sendResetLink: (ctx: UserCtx, user: UserDoc) => Promise<string | null>;
}

const present = ({ settings, clock }: UserCtx, user: UserDoc): AdminAccount => ({
  _id: user._id,
  name: user.name,
  email: user.email,
  emailVerified: user.emailVerified === true,
  isAdmin: isAdmin(settings, user),
  plan: effectivePlan(user.plan, clock.now()),
  createdAt: user.createdAt,
  deleteAt: user.deleteAt ?? null,
  disabledAt: user.disabledAt ?? null,
});

interface AccountQuery {
  /** The beginning of the email address, or the account's id. */
  q: string;
  after: string | undefined;
}

const ACCOUNT_ID = /^[0-9a-hjkmnp-tv-z]{26}$/iu;

async function findAccounts({ store }: UserCtx, { q, after }: AccountQuery, limit: number): Promise<UserDoc[]> {
  if (ACCOUNT_ID.test(q)) return store.collection(users).find({ _id: after === undefined ? q.toUpperCase() : "" });
  const start = q.toLowerCase();
  return store.collection(users).find(
    {
      ...(start !== "" && { emailLower: beginsWith(start) }),
      ...(after !== undefined && { _id: { lt: after } }),
    },
    { order: [["_id", "desc"]], limit },
  );
}

const pickCounters = (usage: Usage) =>
  [...COUNTED_LIMITS, "totalCardsStudied" as const].map((counter) => ({ counter, count: usage[counter] }));

export const createAccountHandlers = ({ requireOwner, sendResetLink }: SignInDeps): Handlers<typeof accounts> => ({
  async listAccounts(ctx, { q, after }) {
    const { items, next } = toPage(await findAccounts(ctx, { q, after }, PAGE_SIZE + 1), ({ _id }) => _id);
    return { accounts: items.map((user) => present(ctx, user)), next };
  },

  async *exportAccounts(ctx, { q }) {
    yield* writeCsv<UserDoc>({
      head: ["id", "name", "email", "plan", "created"],
      read: (last, limit) => findAccounts(ctx, { q, after: last?._id }, limit),
      toRow: (user) => {
        const { _id, name, email, plan, createdAt } = present(ctx, user);
        return [_id, name, email, plan, new Date(createdAt).toISOString()];
      },
    });
  },

  async getAccount(ctx, { id }) {
    const user = await requireAccount(ctx, id);
    const now = ctx.clock.now();
    const quota = { ...ctx, own: ownedBy(ctx.store, id), caller: { plan: user.plan } };
    const sessions = (await listSessions(ctx.store, id)).filter(({ expiresAt }) => expiresAt > now);
    const seen = sessions.map(({ lastSeenAt }) => lastSeenAt);
    return {
      account: {
        ...present(ctx, user),
        isSelf: id === ctx.caller.userId,
        isAdminBySetting: isAdminBySetting(ctx.settings, user),
        granted: user.billing?.granted.type ?? user.plan.type,
        grantedUntil: (user.billing?.granted ?? user.plan).endAt,
        hasSubscription: (user.billing?.subscription ?? null) !== null,
        sessions: sessions.length,
        lastSeenAt: seen.length > 0 ? Math.max(...seen) : null,
        usedBytes: await readUsedBytes(quota, sumStoredBytes),
        limitBytes: storageLimit(quota),
        usedToday: pickCounters(await readUsage(quota)),
      },
    };
  },

  async signOutAccount(ctx, { id }) {
    await requireAccount(ctx, id);
    await recordAction(ctx, "sign_out_account", id);
    await endAccountSessions(ctx.store, id);
    return { success: true };
  },

  async makeResetLink(ctx, { id, password }) {
    await requireOwner(ctx, password);
    const user = await requireAccount(ctx, id);
    // Without mail the caller sees the link, and could sign in with it as the other administrator.
    if (!ctx.mailer.isConfigured && id !== ctx.caller.userId && isAdmin(ctx.settings, user))
      throw new Failure("forbidden", "administrator_link");
    await recordAction(ctx, "make_reset_link", id);
    return { link: await sendResetLink(ctx, user) };
  },
});
