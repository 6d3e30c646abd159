import type { ComponentProps } from "preact";
import type { Requested } from "../../connection/use-answer.js";
import { EmptyState, RequestNote, ViewHead } from "../../design/index.js";

/** The page of a record that is not there: it is still loading, cannot be read, or does not exist. */
export function NoRecord({
  noun,
  request,
  icon,
  back,
  reason = "The link may be of another lab.",
}: {
  /** `contact` */
  readonly noun: string;
  readonly request: Requested<unknown>;
  readonly icon: ComponentProps<typeof EmptyState>["icon"];
  readonly back: ComponentProps<typeof ViewHead>["back"];
  readonly reason?: string;
}) {
  const isUnknown = !request.isLoading && (request.error === undefined || request.error.status === 404);
  return (
    <>
      <ViewHead title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)}`} back={back} />
      {isUnknown ? (
        <EmptyState icon={icon} title={`There is no such ${noun}`}>
          <p>{reason}</p>
        </EmptyState>
      ) : (
        <RequestNote request={request} lines={6} />
      )}
    </>
  );
}
