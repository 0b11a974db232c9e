export async function readStatus(check: Promise<void>): Promise<"ok" | "failing"> {
  return check.then(
    () => "ok" as const,
    () => "failing" as const,
  );
}
