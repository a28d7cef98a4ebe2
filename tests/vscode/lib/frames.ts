// The frames of the language server protocol: `Content-Length: N`, an empty line, N bytes of JSON.

export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export const frame = (message: unknown): Buffer => {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${String(body.length)}\r\n\r\n`), body]);
};

/** Cuts a stream into messages; each comes with its own bytes, as they were. */
export class Frames {
  #bytes = Buffer.alloc(0);
  readonly #each: (message: Message, raw: Buffer) => void;

  constructor(each: (message: Message, raw: Buffer) => void) {
    this.#each = each;
  }

  push(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      const head = this.#bytes.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.#bytes.toString('latin1', 0, head))?.[1]);
      const end = head + 4 + length;
      if (Number.isNaN(end) || this.#bytes.length < end) return;
      const raw = this.#bytes.subarray(0, end);
      this.#bytes = this.#bytes.subarray(end);
      this.#each(JSON.parse(raw.toString('utf8', head + 4)) as Message, raw);
    }
  }
}
