/** Browser notifications. Permission is requested only after a user gesture, and the service worker shows them. */

export type BrowserNotificationPermission = NotificationPermission | "unsupported";

const isSupported = () => typeof Notification !== "undefined" && "serviceWorker" in navigator;

/** The browser's permission for our notifications. */
export const getNotificationPermission = (): BrowserNotificationPermission =>
  isSupported() ? Notification.permission : "unsupported";

/** Asks for permission. Must be called from a user gesture. */
export async function requestNotificationPermission(): Promise<BrowserNotificationPermission> {
  return isSupported() ? Notification.requestPermission() : "unsupported";
}

export interface BrowserNotification {
  title: string;
  body: string;
  /** A later notification replaces an earlier one with the same tag. */
  tag: string;
  /** Path in this app that a click opens. */
  path: string;
}

/** Shows a silent notification. Resolves to whether a service worker was available. */
export async function showBrowserNotification({ title, body, tag, path }: BrowserNotification): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration?.active) return false;
  await registration.showNotification(title, { body, tag, silent: true, icon: "/favicon.svg", data: { path } });
  return true;
}
