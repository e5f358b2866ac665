/** What a request is answered. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** Default: none. */
  body?: string | Buffer;
}

const jsonType = { "content-type": "application/json; charset=utf-8" };

/** @param text JSON already */
export const jsonText = (status: number, text: string, headers?: Record<string, string>): Answer => ({
  status,
  headers: headers ? { ...headers, ...jsonType } : jsonType,
  body: text,
});

export const json = (status: number, value: unknown): Answer => jsonText(status, JSON.stringify(value));

type Unset<T> = { [K in keyof T]: T[K] | undefined };

/** On the wire, not set is absent: JSON leaves out what is undefined. */
export const present = <T extends object>(value: Unset<T>): T => value as T;
