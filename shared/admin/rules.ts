const DAY_MS = 86_400_000;
const BACKUP_EVERY_DAYS = 7;

interface BackupTimes {
  /** Epoch ms; null if no backup is known. */
  lastAt: number | null;
  /** When the first account was created; undefined without accounts. */
  firstAccountAt: number | undefined;
}

/** Whether a week of students' work is in no backup. */
export const isBackupLate = ({ lastAt, firstAccountAt }: BackupTimes, now: number): boolean =>
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
 * Why an action is refused; undefined if it is allowed. Nobody acts on their own account, so the one who acts stays an
 * administrator; and another administrator is demoted first, which does not lock them out.
 */
export function refuseAccessAction(action: AccessAction, target: Target): AccessRefusal | undefined {
  if (target.isSelf) return "own_account";
  if (action !== "demote") return target.isAdmin ? "administrator_protected" : undefined;
  if (!target.isAdmin) return "not_administrator";
  return target.isAdminBySetting ? "administrator_by_setting" : undefined;
}
