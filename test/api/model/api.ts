import { expect } from "vitest";
import type { TestService } from "../support.js";

export interface Reply {
  readonly status: number;
  /** Parsed; undefined when it was empty. */
  readonly body: unknown;
}

export type Row = Readonly<Record<string, unknown>>;

export interface Page {
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly Row[];
}

type Query = Readonly<Record<string, string>>;

/** Plain requests to the API. */
export class Api {
  readonly #service: Pick<TestService, "url" | "token">;

  constructor(service: Pick<TestService, "url" | "token">) {
    this.#service = service;
  }

  async call(method: string, resource: string, query: Query = {}, body?: object): Promise<Reply> {
    const text = new URLSearchParams(query).toString();
    const response = await fetch(`${this.#service.url}/api/v2/${resource}.json${text && `?${text}`}`, {
      method,
      headers: this.#headers(body !== undefined),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    return { status: response.status, body: answer === "" ? undefined : (JSON.parse(answer) as unknown) };
  }

  /** One page, by the URL of a link. */
  async page(url: string): Promise<Page> {
    const response = await fetch(url, { headers: this.#headers(false) });
    expect(response.status, url).toBe(200);
    return (await response.json()) as Page;
  }

  /** The first page of a list. */
  first(resource: string, query: Query = {}): Promise<Page> {
    const text = new URLSearchParams(query).toString();
    return this.page(`${this.#service.url}/api/v2/${resource}.json${text && `?${text}`}`);
  }

  /** All records of a list. */
  async list(resource: string, query: Query = {}): Promise<Row[]> {
    let page = await this.first(resource, query);
    const rows = [...page.results];
    while (page.next !== null) {
      page = await this.page(page.next);
      rows.push(...page.results);
    }
    return rows;
  }

  #headers(hasBody: boolean): Record<string, string> {
    const type: Record<string, string> = hasBody ? { "content-type": "application/json" } : {};
    return { authorization: `Token ${this.#service.token}`, ...type };
  }
}
