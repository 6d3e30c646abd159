import { signal, type Signal } from "@preact/signals";

/**
 * A choice of the user that the browser stores for later visits. Without storage it lasts as long as the page.
 *
 * @param initial - the value until the user has chosen
 */
export function keptChoice<Value extends string>(
  name: string,
  values: readonly Value[],
  initial: Value,
): Signal<Value> {
  const key = `handset-lab.${name}`;
  const choice = signal(values.find((value) => value === stored(key)) ?? initial);
  let isChosen = false;
  choice.subscribe((value) => {
    if (isChosen) store(key, value);
    // The first call is not a choice: it reports the current value.
    isChosen = true;
  });
  return choice;
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Browsers may deny access to the storage.
  }
}
