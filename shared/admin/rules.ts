const DAY_MS = 86_400_000;
const BACKUP_EVERY_DAYS = 7;

interface BackupTimes {
  /** Epoch ms; null if no backup is known. */
  lastAt: number | null;
  /** When the first account was created; undefined without accounts. */
  firstAccountAt: number | undefined;
}

/** Whether the last backup, or without one the first account, is more than a week old. */
export const isBackupOverdue = ({ lastAt, firstAccountAt }: BackupTimes, now: number): boolean =>
  firstAccountAt !== undefined && now - Math.max(lastAt ?? 0, firstAccountAt) > BACKUP_EVERY_DAYS * DAY_MS;

/** What an administrator does to the access of an account. */
export type AccessAction = "disable" | "delete" | "demote";

interface Target {
  isSelf: boolean;
  isAdmin: boolean;
  /** True if the account's confirmed address is in `ADMIN_EMAILS`. */
  isAdminBySetting: boolean;
}

export type AccessRefusal =
  | "own_account"
  | "administrator_protected"
  | "not_administrator"
  | "administrator_by_setting";

/**
 * Why an action is refused; undefined if it is allowed. Administrators cannot change their own account, so one always
 * remains. Another administrator must be demoted before the account can be disabled or deleted.
 */
export function accessRefusalFor(action: AccessAction, target: Target): AccessRefusal | undefined {
  if (target.isSelf) return "own_account";
  if (action !== "demote") return target.isAdmin ? "administrator_protected" : undefined;
  if (!target.isAdmin) return "not_administrator";
  return target.isAdminBySetting ? "administrator_by_setting" : undefined;
}
