"""Operations as generators of steps: written once, run by the synchronous and by the asynchronous client."""

from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from cabildo_client.errors import ClientError
from cabildo_client.json_values import Json

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ask:
    """A request; the answer is its JSON, a text, or bytes."""

    method: str
    path: str
    body: Mapping[str, Json] | None = None
    accept: str = "application/json"


@dataclass(frozen=True, slots=True)
class Wait:
    """A wait between two requests."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """An operation that goes on beside the others."""

    steps: "Steps[object]"


Step: TypeAlias = Ask | Wait | Meanwhile
Steps: TypeAlias = Generator[Step, Any, T]


def run(steps: Steps[T], perform: Callable[[Step], object]) -> T:
    """Returns the result of an operation; errors of a step are raised inside it."""
    try:
        step = next(steps)
        while True:
            try:
                answer = perform(step)
            except ClientError as problem:
                step = steps.throw(problem)
            else:
                step = steps.send(answer)
    except StopIteration as done:
        result: T = done.value
        return result


async def run_async(steps: Steps[T], perform: Callable[[Step], Awaitable[object]]) -> T:
    """Returns the result of an operation whose steps are awaited; errors of a step are raised inside it."""
    try:
        step = next(steps)
        while True:
            try:
                answer = await perform(step)
            except ClientError as problem:
                step = steps.throw(problem)
            else:
                step = steps.send(answer)
    except StopIteration as done:
        result: T = done.value
        return result
