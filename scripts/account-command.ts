// Implements `npm run reset-link`, `npm run admin`, `npm run plan`, `npm run sign-out` and `npm run invite`.
import { grantAdmin, createInviteLink, createResetLinkFor, endAllSessions } from "#api/auth/service.ts";
import { grantPlan } from "#api/billing/grant-plan.ts";
import { systemClock } from "#api/clock.ts";
import { InvalidSettingError, readSettings } from "#api/settings.ts";
import { StorageUnusableError } from "#api/store/storage-unusable.ts";
import { openStorage } from "#api/open-storage.ts";
import { endOfUtcDay } from "#shared/user/days.ts";
import { PlanType } from "#shared/user/schema.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function fail(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

const NO_ACCOUNT = "No account found for this email address.";

const EXAMPLES =
  "Examples: npm run reset-link -- ada@example.org; npm run admin -- grant ada@example.org; npm run plan -- ada@example.org PLUS 2027-06-30; npm run sign-out -- ada@example.org; npm run invite -- ada@example.org";

type CommandDeps = Parameters<typeof createResetLinkFor>[0];

/** The end of a day in UTC; null if no day is given, undefined if the text is not a date. */
const parseEnd = (until: string | undefined) => (until === undefined ? null : endOfUtcDay(until));

/** Runs a command and returns its output; undefined if the arguments are invalid. */
const commands: Readonly<Record<string, (deps: CommandDeps, args: readonly string[]) => Promise<string | undefined>>> =
  {
    "reset-link": async (deps, [email]) =>
      email === undefined ? undefined : ((await createResetLinkFor(deps, email)) ?? fail(NO_ACCOUNT)),

    admin: async (deps, [action, email]) => {
      if ((action !== "grant" && action !== "revoke") || email === undefined) return undefined;
      if (!(await grantAdmin(deps, email, action === "grant"))) fail(NO_ACCOUNT);
      return action === "grant" ? `${email} is now an administrator.` : `${email} is no longer an administrator.`;
    },

    "sign-out": async (deps, [email]) => {
      if (email === undefined) return undefined;
      if (!(await endAllSessions(deps, email))) fail(NO_ACCOUNT);
      return `${email} was signed out on all devices.`;
    },

    plan: async (deps, [email, plan, until]) => {
      const type = PlanType.safeParse(plan?.toUpperCase()).data;
      const endAt = parseEnd(until);
      if (email === undefined || type === undefined || endAt === undefined) return undefined;
      const result = await grantPlan(deps, { email, type, endAt });
      if (!result) fail(NO_ACCOUNT);
      const granted = `${email} has the plan ${type}${until === undefined ? "" : ` until the end of ${until} (UTC)`}.`;
      return result.type === type ? granted : `${granted} Until it ends, the subscription to ${result.type} counts.`;
    },

    invite: (deps, [email]) => createInviteLink(deps, email),
  };

async function runCommand([command = "", ...args]: readonly string[]): Promise<void> {
  const settings = readSettings(process.env);
  const storage = await openStorage(settings);
  try {
    const output = await commands[command]?.({ settings, store: storage.store, clock: systemClock }, args);
    return print(output ?? fail(EXAMPLES));
  } finally {
    await storage.index.close();
    await storage.store.close();
  }
}

try {
  await runCommand(process.argv.slice(2));
} catch (cause) {
  if (cause instanceof InvalidSettingError || cause instanceof StorageUnusableError) fail(cause.message);
  throw cause;
}
