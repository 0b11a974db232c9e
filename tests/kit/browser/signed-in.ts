import type { Browser } from "puppeteer";
import { registerAccount, type AccountDetails } from "#tests/kit/account.ts";
import type { TestUser } from "#tests/kit/api.ts";
import { openStudent, type Student } from "#tests/kit/student.ts";

/** A browser of its own that holds an account's token. */
export async function openStudentAs(
  browser: Browser,
  origin: string,
  { token }: Pick<TestUser, "token">,
): Promise<Student> {
  const student = await openStudent(browser, origin);
  await student.page.setCookie({ name: "lamplight_token", value: token, url: origin });
  return student;
}

/** An account that has been welcomed, and its student at a browser: what most journeys begin with. */
export async function registerStudent(browser: Browser, origin: string, who?: AccountDetails) {
  const user = await registerAccount(origin, who);
  return { student: await openStudentAs(browser, origin, user), user };
}
