/** Runs in the browser: the notifications that are shown. */
export const readNotifications = async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  return ((await registration?.getNotifications()) ?? []).map(({ title, body, silent }) => ({ title, body, silent }));
};
