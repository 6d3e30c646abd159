/**
 * Opens an address in the user's browser, where there is one.
 *
 * @returns why it was not opened, as a clause; undefined: the browser has been asked
 */
export async function openBrowser(url: string): Promise<string | undefined> {
  const { env, platform } = process;
  const hasScreen = platform === "win32" || platform === "darwin" || Boolean(env["DISPLAY"] ?? env["WAYLAND_DISPLAY"]);
  if (!hasScreen) return "there is no screen here";
  try {
    // Loaded on demand: other commands do not need it.
    const { default: open } = await import("open");
    const browser = await open(url);
    // An error that comes later, such as a missing xdg-open, must not end the lab: the address has been printed.
    browser.once("error", () => undefined);
    browser.unref();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
