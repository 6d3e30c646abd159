import type { Route } from "../navigation/routes.js";
import { PersonPicker } from "./person-picker.jsx";
import { PersonStage } from "./person-stage.jsx";

/** The person view: the picker, then the person's phone beside a handset's. */
export function PersonView({ route }: { readonly route: Route }) {
  const who = route.words.join("/");
  const withHandset = route.query.get("with") ?? undefined;
  if (who === "") return <PersonPicker withHandset={withHandset} />;
  return <PersonStage key={who} who={who} withHandset={withHandset} />;
}
