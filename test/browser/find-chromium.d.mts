/** The path of a Chromium or Chrome on this machine, or undefined. Throws when `CHROME_PATH` names no program. */
export function findChromium(environment?: Readonly<Record<string, string | undefined>>): string | undefined;

/** Where Playwright's installer puts browsers: the newest headless shell first. */
export function placesOfPlaywright(environment: Readonly<Record<string, string | undefined>>): readonly string[];
