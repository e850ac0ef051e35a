// What goes wrong: a refusal of the service, or no answer at all.
/** The service refused a request. */
export class Refused extends Error {
    problem;
    status;
    /** The reason, such as `not_your_turn`. */
    type;
    /** Milliseconds that the service asks to wait before the next attempt. */
    pause;
    constructor(problem, pause = 0) {
        super(String(problem.sentence ?? problem.detail ?? problem.title));
        this.name = "Refused";
        this.problem = problem;
        this.status = problem.status;
        this.type = problem.type.split("#")[1] ?? problem.type;
        this.pause = pause;
    }
}
/** The service did not answer. */
export class Unreachable extends Error {
    constructor(cause) {
        super("the service does not answer", { cause });
        this.name = "Unreachable";
    }
}
/** Returns the milliseconds that an answer asks to wait. */
export function pauseAskedBy(answer) {
    const seconds = Number(answer?.headers.get("Retry-After") ?? 0);
    return Number.isFinite(seconds) ? 1000 * seconds : 0;
}
/** Returns the refusal in an answer, also in one of a proxy before the service. */
export async function refusalIn(answer) {
    const text = await answer.text();
    try {
        const document = JSON.parse(text);
        if (typeof document.type === "string")
            return new Refused({ title: "", detail: "", status: answer.status, ...document, type: document.type }, pauseAskedBy(answer));
    }
    catch {
        // not a document of the service
    }
    return new Refused({ type: "about:blank", title: answer.statusText, status: answer.status, detail: `status ${answer.status}` }, pauseAskedBy(answer));
}
