// What goes wrong: a refusal of the service, or no answer at all.

/** An RFC 9457 problem; more members tell the data of the reason. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  [member: string]: unknown;
}

/** The service refused a request. */
export class Refused extends Error {
  readonly problem: Problem;
  readonly status: number;
  /** The reason, such as `not_your_turn`. */
  readonly type: string;
  /** Milliseconds that the service asks to wait before the next attempt. */
  readonly pause: number;

  constructor(problem: Problem, pause = 0) {
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
  constructor(cause?: unknown) {
    super("the service does not answer", { cause });
    this.name = "Unreachable";
  }
}

/** Returns the milliseconds that an answer asks to wait. */
export function pauseAskedBy(answer: Response | null): number {
  const seconds = Number(answer?.headers.get("Retry-After") ?? 0);
  return Number.isFinite(seconds) ? 1000 * seconds : 0;
}

/** Returns the refusal in an answer, also in one of a proxy before the service. */
export async function refusalIn(answer: Response): Promise<Refused> {
  const text = await answer.text();
  try {
    const document = JSON.parse(text) as Partial<Problem>;
    if (typeof document.type === "string") return new Refused({ title: "", detail: "", status: answer.status, ...document, type: document.type }, pauseAskedBy(answer));
  } catch {
    // not a document of the service
  }
  return new Refused({ type: "about:blank", title: answer.statusText, status: answer.status, detail: `status ${answer.status}` }, pauseAskedBy(answer));
}
