const KEY = "handset-lab.lab";
let held: string | undefined;

/** The token of the control API; empty: the page was opened without its link. */
export function labToken(): string {
  return (held ??= kept());
}

/** Stores a token for this tab. */
export function keepToken(token: string): void {
  held = token;
  try {
    sessionStorage.setItem(KEY, token);
  } catch {
    // Without session storage the token lives as long as the page.
  }
}

/**
 * The token in a link `…#token=…`, or in its fragment. It ends where another address begins, so a link that was pasted
 * twice also works.
 */
export function tokenInLink(text: string): string | undefined {
  return /#token=([\w.~-]+?)(?=https?:|[^\w.~-]|$)/.exec(text)?.[1];
}

/**
 * Moves the token from the URL (`#token=…`), which histories and screenshots show, to the storage of this tab.
 * @returns whether there was one
 */
export function takeTokenFromUrl(): boolean {
  const given = tokenInLink(location.hash);
  if (given === undefined) return false;
  keepToken(given);
  history.replaceState(null, "", `${location.pathname}${location.search}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
  return true;
}

function kept(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
