import { signal, type Signal } from "@preact/signals";

/**
 * A choice of the reader that the browser keeps for later visits. Without storage it lives as long as the page.
 *
 * @param initial - holds until the reader has chosen
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
    // The first call is no choice: it tells the value of now.
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
    // Browsers may forbid it.
  }
}
