// Bodies that arrive piece by piece.
/** Yields the parts of a body between separators; `wait` may bound each read. */
export async function* textBlocks(body, separator, wait = (piece) => piece) {
    const decoder = new TextDecoder();
    const reader = body.getReader();
    let rest = "";
    try {
        for (;;) {
            const { done, value } = await wait(reader.read());
            if (done)
                return;
            const found = (rest + decoder.decode(value, { stream: true })).split(separator);
            rest = found.pop() ?? "";
            yield* found;
        }
    }
    finally {
        reader.cancel().catch(() => undefined); // a reader that stops early leaves no open connection
    }
}
