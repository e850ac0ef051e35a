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

  constructor(problem: Problem) {
    super(String(problem.sentence ?? problem.detail ?? problem.title));
    this.name = "Refused";
    this.problem = problem;
    this.status = problem.status;
    this.type = problem.type.split("#")[1] ?? problem.type;
  }
}

/** The service did not answer. */
export class Unreachable extends Error {
  constructor(cause?: unknown) {
    super("the service does not answer", { cause });
    this.name = "Unreachable";
  }
}

/** Returns the refusal in an answer, also in one of a proxy before the service. */
export async function refusalIn(answer: Response): Promise<Refused> {
  const text = await answer.text();
  try {
    const document = JSON.parse(text) as Partial<Problem>;
    if (typeof document.type === "string") return new Refused({ title: "", detail: "", status: answer.status, ...document, type: document.type });
  } catch {
    // not a document of the service
  }
  return new Refused({ type: "about:blank", title: answer.statusText, status: answer.status, detail: `status ${answer.status}` });
}
