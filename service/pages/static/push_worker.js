// The part of the pages that a browser wakes for a notice: shows it, and opens the game on a click.

addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, path } = event.data?.json() ?? {};
  if (!title) return;
  const shown = { body: body === title ? "" : body, tag: path, icon: "/static/mark.svg", data: { path } };
  event.waitUntil(/** @type {any} */ (self).registration.showNotification(title, shown));
});

addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data.path));
});

// Opens a page of this site, in a tab that shows it already if there is one.
async function lead(path) {
  const { clients } = /** @type {any} */ (self);
  const address = new URL(path, location.origin).href;
  if (new URL(address).origin !== location.origin) return;
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find(({ url }) => url.split("#")[0] === address);
  return tab ? tab.focus() : clients.openWindow(address);
}
