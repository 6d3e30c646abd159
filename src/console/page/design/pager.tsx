import { Button } from "./button.jsx";
import "./pager.css";

/** Buttons for the pages of a list. An absent handler disables its button. @param where - "51 to 100 of 1,204" */
export function Pager({
  where,
  onPrevious,
  onNext,
  label = "Pages",
}: {
  readonly where: string;
  readonly onPrevious: (() => unknown) | undefined;
  readonly onNext: (() => unknown) | undefined;
  readonly label?: string;
}) {
  return (
    <nav class="design-pager design-row" aria-label={label}>
      <span class="design-muted design-number" aria-live="polite">
        {where}
      </span>
      <Button size="small" icon="chevronLeft" isDisabled={onPrevious === undefined} onPress={onPrevious}>
        Previous
      </Button>
      <Button size="small" iconEnd="chevronRight" isDisabled={onNext === undefined} onPress={onNext}>
        Next
      </Button>
    </nav>
  );
}
