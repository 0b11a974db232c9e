/** Key of the cached user in the browser's local storage. */
export const SESSION_CACHE_KEY = "lamplight_session";
