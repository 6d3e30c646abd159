import { Option } from "commander";

/** An option that may be repeated, and that takes values separated by commas. */
export function several(flags: string, about: string): Option {
  const collect = (text: string, before: readonly string[] | undefined): string[] => [
    ...(before ?? []),
    ...text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== ""),
  ];
  return new Option(flags, `${about}; repeatable`).argParser<string[] | undefined>((text, before) =>
    collect(text, before),
  );
}
