import type { Browser } from "puppeteer";
import { registerAccount, type AccountDetails } from "../account.ts";
import type { TestUser } from "../api.ts";
import { openStudent, type Student } from "../student.ts";

/** A browser signed in to an account. */
export async function openStudentAs(
  browser: Browser,
  origin: string,
  { token }: Pick<TestUser, "token">,
): Promise<Student> {
  const student = await openStudent(browser, origin);
  await student.page.setCookie({ name: "lamplight_token", value: token, url: origin });
  return student;
}

/** An account that has finished onboarding, signed in in a browser. */
export async function registerStudent(browser: Browser, origin: string, who?: AccountDetails) {
  const user = await registerAccount(origin, who);
  return { student: await openStudentAs(browser, origin, user), user };
}
