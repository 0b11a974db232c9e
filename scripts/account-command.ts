// What `npm run reset-link`, `npm run admin`, `npm run sign-out` and `npm run invite` do, on the Node that runs the product.
import { grantAdmin, inviteByLink, resetByLink, signOutEverywhere } from "#api/auth/service.ts";
import { systemClock } from "#api/kit/clock.ts";
import { BadSetting, readSettings } from "#api/kit/settings.ts";
import { CannotOpen } from "#api/kit/store/cannot-open.ts";
import { openStorage } from "#api/kit/store/open.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function giveUp(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

const NOBODY = "There is no account with this address.";

async function runCommand([command, ...words]: readonly string[]): Promise<void> {
  const settings = readSettings(process.env);
  const storage = await openStorage(settings);
  const parts = { settings, store: storage.store, clock: systemClock };
  try {
    const [first, second] = words;
    if (command === "reset-link" && first !== undefined)
      return say((await resetByLink(parts, first)) ?? giveUp(NOBODY));
    if (command === "admin" && (first === "grant" || first === "revoke") && second !== undefined) {
      if (!(await grantAdmin(parts, second, first === "grant"))) giveUp(NOBODY);
      return say(first === "grant" ? `${second} administers now.` : `${second} no longer administers.`);
    }
    if (command === "sign-out" && first !== undefined) {
      if (!(await signOutEverywhere(parts, first))) giveUp(NOBODY);
      return say(`${first} is signed out everywhere.`);
    }
    if (command === "invite") return say(await inviteByLink(parts, first));
    return giveUp(
      "Examples: npm run reset-link -- ada@example.org; npm run admin -- grant ada@example.org; npm run sign-out -- ada@example.org; npm run invite -- ada@example.org",
    );
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
