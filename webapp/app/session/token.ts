const COOKIE = "lamplight_token";
const TWO_YEARS_SECONDS = 2 * 365 * 24 * 60 * 60;

/** The token if cookies are blocked. It lasts as long as the tab. */
let memoryToken: string | undefined;

/** Whether the token is only in memory, so that closing the tab signs the user out. */
export const isTokenInMemoryOnly = (): boolean => memoryToken !== undefined;

/** The session token. Only our scripts read its cookie, because the API accepts the token only in the header. */
export function readToken(): string | undefined {
  if (typeof document === "undefined") return undefined;
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${COOKIE}=`));
  const value = found?.slice(COOKIE.length + 1);
  return value ? decodeURIComponent(value) : memoryToken;
}

export function writeToken(token: string): void {
  memoryToken = undefined;
  setCookie(encodeURIComponent(token), TWO_YEARS_SECONDS);
  if (readToken() !== token) memoryToken = token;
}

export function clearToken(): void {
  memoryToken = undefined;
  setCookie("", 0);
}

function setCookie(value: string, maxAgeSeconds: number): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // The Cookie Store API is missing in Firefox and asynchronous elsewhere.
  document.cookie = `${COOKIE}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`;
}
