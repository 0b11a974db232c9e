import { argon2, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import type * as LanguageCommon from "@zxcvbn-ts/language-common";
import { Failure } from "#shared/contract/failure.ts";

const KEY_BYTES = 32;
const SALT_BYTES = 16;
/**
 * OWASP's second recommendation for argon2id (19 MiB, two passes, one lane):
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const argonCost = { parallelism: 1, memory: 19_456, passes: 2 };
/** OWASP's first recommendation for scrypt, for runtimes without argon2 (Node below 24.7). */
const scryptCost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

const deriveByScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt);

function deriveByArgon(password: string, nonce: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2("argon2id", { message: password, nonce, tagLength: KEY_BYTES, ...argonCost }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

const algorithms = {
  argon2id: deriveByArgon,
  scrypt: (password: string, salt: Buffer) => deriveByScrypt(password, salt, KEY_BYTES, scryptCost),
};
const preferred = typeof argon2 === "function" ? "argon2id" : "scrypt";

/** `algorithm$salt$key`, the last two in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await algorithms[preferred](password.normalize("NFKC"), salt);
  return [preferred, salt.toString("base64url"), key.toString("base64url")].join("$");
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [algorithm, salt = "", key = ""] = hash.split("$");
  if (algorithm !== "argon2id" && algorithm !== "scrypt") return false;
  const expected = Buffer.from(key, "base64url");
  const derived = await algorithms[algorithm](password.normalize("NFKC"), Buffer.from(salt, "base64url"));
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

let dummyHash: Promise<string> | undefined;

/** Takes as long as a real check, so that timing does not reveal whether an account exists. */
export async function checkDummyPassword(password: string): Promise<false> {
  dummyHash ??= hashPassword(randomBytes(SALT_BYTES).toString("hex"));
  await isPassword(password, await dummyHash);
  return false;
}

let commonPasswords: Set<string> | undefined;

/** Product words that an attacker would try first, as well as the words of the account. */
const productWords = ["lamplight", "flashcard", "flashcards", "student", "study"];

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, "");

/** The account details that an attacker may know. */
interface AccountDetails {
  name?: string;
  email?: string;
}

/**
 * True if the letters of the password are a product or account word, once or twice in a row. Digits and punctuation do
 * not count.
 */
function isGuessable(password: string, { name = "", email = "" }: AccountDetails): boolean {
  const letters = lettersOf(password);
  const words = [...productWords, name, ...name.split(" "), email, email.split("@")[0] ?? ""].map(lettersOf);
  return words.some((word) => word.length > 2 && (letters === word || letters === word + word));
}

const load = createRequire(import.meta.url);

/** The list is unpacked when it is loaded, which is when it is first needed, so that the server starts sooner. */
function loadCommonPasswords(): Set<string> {
  const { dictionary } = load("@zxcvbn-ts/language-common") as typeof LanguageCommon;
  return new Set(dictionary["passwords-common"].filter((word): word is string => typeof word === "string"));
}

/** Refuses passwords on lists of common passwords, and those made only of product or account words. */
export function requireUncommonPassword(password: string, details: AccountDetails = {}): void {
  commonPasswords ??= loadCommonPasswords();
  if (commonPasswords.has(password.toLowerCase()))
    throw new Failure(
      "bad_input",
      "password_common",
      {},
      {
        fields: [{ path: "password", message: "too common" }],
      },
    );
  if (isGuessable(password, details))
    throw new Failure(
      "bad_input",
      "password_guessable",
      {},
      {
        fields: [{ path: "password", message: "too easy to guess" }],
      },
    );
}
