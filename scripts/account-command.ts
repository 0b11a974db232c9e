// Implements `npm run reset-link`, `npm run admin`, `npm run sign-out` and `npm run invite`.
import { grantAdmin, inviteByLink, resetByLink, signOutEverywhere } from "#api/auth/service.ts";
import { systemClock } from "#api/clock.ts";
import { BadSetting, readSettings } from "#api/settings.ts";
import { CannotOpen } from "#api/store/cannot-open.ts";
import { openStorage } from "#api/store/open.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function giveUp(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

const NOBODY = "No account found for this email address.";

const EXAMPLES =
  "Examples: npm run reset-link -- ada@example.org; npm run admin -- grant ada@example.org; npm run sign-out -- ada@example.org; npm run invite -- ada@example.org";

type Parts = Parameters<typeof resetByLink>[0];

/** Runs a command and returns its output; undefined if the arguments are invalid. */
const commands: Readonly<Record<string, (parts: Parts, words: readonly string[]) => Promise<string | undefined>>> = {
  "reset-link": async (parts, [email]) =>
    email === undefined ? undefined : ((await resetByLink(parts, email)) ?? giveUp(NOBODY)),

  admin: async (parts, [does, email]) => {
    if ((does !== "grant" && does !== "revoke") || email === undefined) return undefined;
    if (!(await grantAdmin(parts, email, does === "grant"))) giveUp(NOBODY);
    return does === "grant" ? `${email} is now an administrator.` : `${email} is no longer an administrator.`;
  },

  "sign-out": async (parts, [email]) => {
    if (email === undefined) return undefined;
    if (!(await signOutEverywhere(parts, email))) giveUp(NOBODY);
    return `${email} was signed out on all devices.`;
  },

  invite: (parts, [email]) => inviteByLink(parts, email),
};

async function runCommand([command = "", ...words]: readonly string[]): Promise<void> {
  const settings = readSettings(process.env);
  const storage = await openStorage(settings);
  try {
    const said = await commands[command]?.({ settings, store: storage.store, clock: systemClock }, words);
    return say(said ?? giveUp(EXAMPLES));
  } finally {
    await storage.index.close();
    await storage.store.close();
  }
}

try {
  await runCommand(process.argv.slice(2));
} catch (cause) {
  if (cause instanceof BadSetting || cause instanceof CannotOpen) giveUp(cause.message);
  throw cause;
}
