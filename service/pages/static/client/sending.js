// Requests that are sent until an answer comes, and take effect once.
import { pauseAskedBy, Unreachable } from "./problems.js";
export const PAUSES = [300, 700, 1500, 3000, 6000, 10000]; // milliseconds before the next attempt
/** Statuses of a service, or of a proxy before it, that is away for a while. */
export const AWAY = new Set([502, 503, 504]);
const PASSING = new Set([...AWAY, 429]);
const ANSWER_WITHIN = 60_000; // milliseconds
/** Milliseconds that the service may ask to wait. */
export const LONGEST_PAUSE = 60_000;
/** Returns a key under which the service takes a request once. */
export function newKey() {
    return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
/** Sends a request until it is answered; the last answer counts. Raises Unreachable. */
export async function sendUntilAnswered(url, request, sending = {}) {
    const { fetch: attempt = fetch, pauses = PAUSES, passing = PASSING, reached = () => undefined } = sending;
    for (const pause of pauses) {
        const answer = await attemptOnce(attempt, url, request).catch(() => null);
        request.signal?.throwIfAborted();
        reached(answer !== null && !AWAY.has(answer.status));
        if (answer && !passing.has(answer.status))
            return answer;
        const asked = pauseAskedBy(answer);
        if (asked > LONGEST_PAUSE && answer)
            return answer;
        await answer?.body?.cancel();
        await sleep(Math.max(pause, asked), request.signal);
    }
    try {
        return await attemptOnce(attempt, url, request);
    }
    catch (cause) {
        request.signal?.throwIfAborted();
        throw new Unreachable(cause);
    }
}
/** Sends one attempt; an answer that does not begin within a minute is none. */
async function attemptOnce(attempt, url, request) {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), ANSWER_WITHIN);
    try {
        const signal = request.signal ? AbortSignal.any([request.signal, deadline.signal]) : deadline.signal;
        return await attempt(url, { ...request, signal });
    }
    finally {
        clearTimeout(timer);
    }
}
/** Waits so many milliseconds; raises the reason of an aborted signal. */
export function sleep(milliseconds, signal) {
    return new Promise((wake, fail) => {
        const abort = () => {
            clearTimeout(timer);
            fail(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", abort);
            wake();
        }, milliseconds);
        if (signal?.aborted)
            abort();
        else
            signal?.addEventListener("abort", abort, { once: true });
    });
}
