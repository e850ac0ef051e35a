// Server-sent events: resumes an interrupted stream and detects a silently dead connection.
import { Refused, refusalIn } from "./problems.js";
import { LONGEST_PAUSE, sleep } from "./sending.js";
import { textBlocks } from "./text_blocks.js";
const SILENCE = 25_000; // milliseconds; the service sends a keep-alive every ten seconds
const PAUSES = [200, 1000, 2000, 5000];
const ENDED = new Set(["access_ended", "history_replaced"]); // reasons after which this stream does not go on
const FINAL = new Set([401, 403, 404, 410]); // refusals that another attempt does not change
const NO_CONTENT = 204;
/** Yields the messages of a stream, over as many connections as it takes, until it has ended. Raises Refused. */
export async function* follow(url, following = {}) {
    const { signal, state = () => undefined } = following;
    let after = following.after ?? null;
    for (let failures = 0;; failures++) {
        let asked = 0;
        try {
            for await (const message of oneConnection(url, after, following)) {
                failures = 0;
                after = message.id ?? after;
                yield message;
                if (ENDED.has(message.document?.closed))
                    return;
            }
        }
        catch (problem) {
            signal?.throwIfAborted();
            if (problem === FINISHED)
                return;
            if (problem instanceof Refused && FINAL.has(problem.status))
                throw problem;
            if (problem instanceof Refused)
                asked = Math.min(problem.pause, LONGEST_PAUSE);
            state(false);
        }
        await sleep(Math.max(asked, PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 0), signal);
    }
}
/** Returns headers that are given, or what returns them. */
export async function headersOf(given) {
    return typeof given === "function" ? given() : (given ?? {});
}
const FINISHED = Symbol("the stream has nothing more to tell");
async function* oneConnection(url, after, following) {
    const { fetch: request = fetch, signal, state = () => undefined, opened = async () => undefined } = following;
    const connection = new AbortController();
    const abort = () => connection.abort(signal?.reason);
    if (signal?.aborted)
        abort();
    signal?.addEventListener("abort", abort, { once: true });
    const withDeadline = (piece) => {
        const watchdog = setTimeout(() => connection.abort(), SILENCE);
        return piece.finally(() => clearTimeout(watchdog));
    };
    try {
        const headers = { ...(await headersOf(following.headers)), Accept: "text/event-stream" };
        if (after !== null)
            headers["Last-Event-ID"] = String(after);
        const answer = await withDeadline(request(url, { headers, signal: connection.signal }));
        if (answer.status === NO_CONTENT)
            throw FINISHED;
        if (!answer.ok || !answer.body)
            throw await refusalIn(answer);
        state(true);
        await opened();
        for await (const block of textBlocks(answer.body, "\n\n", withDeadline)) {
            const message = messageIn(block);
            if (message)
                yield message;
        }
    }
    finally {
        signal?.removeEventListener("abort", abort);
        connection.abort();
    }
}
function messageIn(block) {
    const fields = Object.fromEntries(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
    if (!fields.event)
        return null; // a keep-alive
    return { kind: fields.event, id: fields.id ? Number(fields.id) : null, document: JSON.parse(fields.data ?? "null") };
}
