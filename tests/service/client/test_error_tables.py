"""The Python client and the service name the same problem types."""

from cabildo_client.errors import BY_STATUS, BY_TYPE

from service.web.problem_types import PROBLEMS

STATUSES = {problem.name: problem.status for problem in PROBLEMS.values()}


def test_every_type_of_the_python_client_is_one_of_the_service() -> None:
    assert BY_TYPE.keys() <= STATUSES.keys()


def test_a_class_by_type_is_a_kind_of_the_class_by_status() -> None:
    for name, kind in BY_TYPE.items():
        assert issubclass(kind, BY_STATUS.get(STATUSES[name], object)), name
