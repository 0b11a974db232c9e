import type { Browser } from "puppeteer";
import { anAccount, type Who } from "../account.ts";
import type { TestUser } from "../api.ts";
import { sitDown, type Student } from "../student.ts";

/** A browser of its own that holds an account's token. */
export async function sitDownAs(
  browser: Browser,
  origin: string,
  { token }: Pick<TestUser, "token">,
): Promise<Student> {
  const student = await sitDown(browser, origin);
  await student.page.setCookie({ name: "lamplight_token", value: token, url: origin });
  return student;
}

/** An account that has been welcomed, and its student at a browser: what most journeys begin with. */
export async function aStudent(browser: Browser, origin: string, who?: Who) {
  const user = await anAccount(origin, who);
  return { student: await sitDownAs(browser, origin, user), user };
}
