/** The canvas's transform: a point `p` of the graph is shown at `p * zoom + (x, y)`. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const ZOOM_MIN = 0.1;
const ZOOM_MAX = 2;
/** Smallest readable zoom: at first, a large graph is not shrunk further. */
const READABLE_MIN = 0.75;

/** The same on a wall, where a small graph is also enlarged. */
const WALL_MIN = 1.5;

/**
 * Fits the whole graph if it stays readable, else shows its top around the entry. @param isOnWall - for an audience: the nodes are larger
 * away
 */
export function fitted(
  graph: Size,
  frame: Size,
  {
    entry,
    isOnWall = false,
  }: { readonly entry?: (Size & { readonly left: number }) | undefined; readonly isOnWall?: boolean } = {},
): Camera {
  const [least, most] = isOnWall ? [WALL_MIN, ZOOM_MAX] : [READABLE_MIN, 1];
  const zoom = Math.max(least, Math.min(most, frame.width / graph.width, frame.height / graph.height));
  const isWide = graph.width * zoom > frame.width;
  const middle = isWide && entry !== undefined ? entry.left + entry.width / 2 : graph.width / 2;
  return { zoom, x: frame.width / 2 - middle * zoom, y: Math.max(0, (frame.height - graph.height * zoom) / 2) };
}

/** Changes the zoom around the point `at`. */
export function zoomedAt(camera: Camera, factor: number, at: { readonly x: number; readonly y: number }): Camera {
  const zoom = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, camera.zoom * factor));
  const scale = zoom / camera.zoom;
  return { zoom, x: at.x - (at.x - camera.x) * scale, y: at.y - (at.y - camera.y) * scale };
}

/** Moves only as far as needed to show a box. */
export function moved(
  camera: Camera,
  box: Size & { readonly left: number; readonly top: number },
  frame: Size,
): Camera {
  const shift = (start: number, length: number, room: number): number => {
    const end = start + length;
    if (start >= MARGIN && end <= room - MARGIN) return 0;
    return length > room - 2 * MARGIN ? MARGIN - start : room / 2 - (start + length / 2);
  };
  const { x, y, zoom } = camera;
  return {
    zoom,
    x: x + shift(box.left * zoom + x, box.width * zoom, frame.width),
    y: y + shift(box.top * zoom + y, box.height * zoom, frame.height),
  };
}

const MARGIN = 16;
