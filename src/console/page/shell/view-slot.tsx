import { Component, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button, EmptyState, Loading } from "../design/index.js";
import { OfMoment } from "../domain/of-moment.jsx";
import type { Route, ViewName } from "../navigation/routes.js";
import { type View, views } from "./views.js";

const loaded = new Map<ViewName, View>();

/** Shows the view of a route, and loads its code at first use. */
export function ViewSlot({ route }: { readonly route: Route }) {
  const [, draw] = useState(0);
  const [failure, setFailure] = useState<Error>();
  const [tries, setTries] = useState(0);
  const name = route.view;
  useEffect(() => {
    if (loaded.has(name)) return undefined;
    let isStale = false;
    setFailure(undefined);
    views[name]().then(
      (view) => {
        loaded.set(name, view);
        if (!isStale) draw((before) => before + 1);
      },
      (error: unknown) => {
        if (!isStale) setFailure(error instanceof Error ? error : new Error(String(error)));
      },
    );
    return () => {
      isStale = true;
    };
  }, [name, tries]);
  const Shown = loaded.get(name);
  if (Shown !== undefined) {
    return (
      <Guard key={name}>
        <OfMoment>
          <Shown route={route} />
        </OfMoment>
      </Guard>
    );
  }
  if (failure === undefined) return <Loading label="Loading the view" />;
  return (
    <EmptyState
      icon="warning"
      title="This view could not be loaded"
      actions={
        <>
          <Button onPress={() => setTries(tries + 1)}>Try again</Button>
          <Button onPress={() => location.reload()}>Load the page again</Button>
        </>
      }
    >
      The server does not answer, or it was updated since this page was opened.
    </EmptyState>
  );
}

/** Error boundary: a defect of one view does not affect the rest of the page. */
class Guard extends Component<{ readonly children: ComponentChildren }, { readonly failure: Error | undefined }> {
  override state: { readonly failure: Error | undefined } = { failure: undefined };

  override componentDidCatch(failure: unknown): void {
    console.error(failure);
    this.setState({ failure: failure instanceof Error ? failure : new Error(String(failure)) });
  }

  override render() {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return (
      <EmptyState
        icon="warning"
        title="This view has failed"
        actions={<Button onPress={() => this.setState({ failure: undefined })}>Show it again</Button>}
      >
        <p>A defect of the console, not of the lab: the lab still runs.</p>
        <p class="design-mono">{failure.message}</p>
      </EmptyState>
    );
  }
}
