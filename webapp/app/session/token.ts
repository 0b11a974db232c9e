const COOKIE = "lamplight_token";
const TWO_YEARS_SECONDS = 2 * 365 * 24 * 60 * 60;

/** Where a browser takes no cookie, the token lasts as long as the tab. */
let held: string | undefined;

/** Whether this browser would not keep the token: whoever signed in is signed out with the tab. */
export const isTokenOnlyHere = (): boolean => held !== undefined;

/** The session token. It lies in a cookie that only our own scripts read: the API takes it from the header alone. */
export function readToken(): string | undefined {
  if (typeof document === "undefined") return undefined;
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${COOKIE}=`));
  const value = found?.slice(COOKIE.length + 1);
  return value ? decodeURIComponent(value) : held;
}

export function writeToken(token: string): void {
  held = undefined;
  setCookie(encodeURIComponent(token), TWO_YEARS_SECONDS);
  if (readToken() !== token) held = token;
}

export function clearToken(): void {
  held = undefined;
  setCookie("", 0);
}

function setCookie(value: string, maxAgeSeconds: number): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // The Cookie Store interface is missing in Firefox and asynchronous where it exists.
  // oxlint-disable-next-line unicorn/no-document-cookie
  document.cookie = `${COOKIE}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`;
}
