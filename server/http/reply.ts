/** The answer to a request. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** The body, or its pieces in order. Default: none. */
  body?: string | Buffer | readonly Buffer[];
  /** Texts that are sent one by one instead of a body. */
  stream?: AsyncIterable<string>;
  /** The path of a file that is sent instead of a body. The headers have its length. */
  file?: string;
}

const jsonType = { "content-type": "application/json; charset=utf-8" };

/** @param text is already JSON */
export const jsonText = (
  status: number,
  text: string | Buffer | readonly Buffer[],
  headers?: Record<string, string>,
): Answer => ({
  status,
  headers: headers ? { ...headers, ...jsonType } : jsonType,
  body: text,
});

export const json = (status: number, value: unknown): Answer => jsonText(status, JSON.stringify(value));

type Unset<T> = { [K in keyof T]: T[K] | undefined };

/** Changes the type of a value: undefined members become absent members, because JSON omits them. */
export const present = <T extends object>(value: Unset<T>): T => value as T;
