// Bodies that arrive piece by piece.

const LONGEST = 64 * 2 ** 20; // characters without a separator: more than any line or message of the service

/** Yields the parts of a body between separators; `wait` may bound each read. */
export async function* textBlocks(
  body: ReadableStream<Uint8Array>,
  separator: string,
  wait: <Piece>(piece: Promise<Piece>) => Promise<Piece> = (piece) => piece,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await wait(reader.read());
      if (done) return;
      const found = (rest + decoder.decode(value, { stream: true })).split(separator);
      rest = found.pop() ?? "";
      if (rest.length > LONGEST) throw new RangeError("a part of the answer has no end");
      yield* found;
    }
  } finally {
    reader.cancel().catch(() => undefined); // a reader that stops early leaves no open connection
  }
}
