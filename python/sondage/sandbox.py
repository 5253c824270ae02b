"""A survey platform inside this process: for trying the library without an account, and for tests.

    with sondage.Sandbox.demo() as box:
        client = box.client()
        print(client.interviews(box.survey_id).to_pandas(labels=True).head())
"""

from __future__ import annotations

from json import loads
from os import PathLike, fsencode

from ._bases import ClockMethods, DeliveriesMethods, FaultMethods, LedgerMethods, SandboxMethods
from ._convert import wire
from ._ledger import Arrival, Attempt, Effect, SandboxFacts, TokenRequest
from ._native import make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from ._async_client import AsyncClient
    from ._blocking_client import Client
    from ._files import Path
    from ._kinds import Cause, Content, CutPoint, DeliveryAction, Facts, FaultAction
    from ._settings import ClientSettings, Unpack

    T = TypeVar("T")


class Ledger(LedgerMethods):
    """The requests that arrived, and their effects. After a cut connection the two may differ."""

    __slots__ = ()

    def requests(self, operation: str = "*") -> list[Arrival]:
        """The requests for an operation, in order of arrival."""
        return _rows(Arrival, self._native.method("ledger", {"part": "requests", "operation": operation}))

    def effects(self, operation: str = "*") -> list[Effect]:
        """What an operation changed, in order."""
        return _rows(Effect, self._native.method("ledger", {"part": "effects", "operation": operation}))

    def token_requests(self) -> list[TokenRequest]:
        """The token requests, in order."""
        return _rows(TokenRequest, self._native.method("ledger", {"part": "tokens", "operation": "*"}))


class Fault(FaultMethods):
    """A fault that was added to a sandbox."""

    __slots__ = ()


class Deliveries(DeliveriesMethods):
    """Deliveries to subscribers, made and pending."""

    __slots__ = ()

    def log(self) -> list[Attempt]:
        """Every attempt, in order."""
        return _rows(Attempt, self._native.method("attempts"))

    def fault(
        self,
        action: DeliveryAction,
        *,
        on: str | None = None,
        every: int = 1,
        times: int | None = None,
        copies: int = 1,
        seconds: int = 60,
    ) -> None:
        """Applies this fault to future events.

        Args:
            action: What happens to them.
            on: The event type. Default: all.
            every: Hits every n-th event.
            times: How many events are hit. Default: no limit.
            copies: For `duplicate`: the number of duplicates.
            seconds: For `delay`: the delay, by the sandbox's clock.
        """
        what: dict[str, Any] = {"kind": action}
        if action == "duplicate":
            what["copies"] = copies
        elif action == "delay":
            what["seconds"] = seconds
        self._native.method("fault_deliveries", {"on": on, "every": every, "times": times, "action": what})


class Clock(ClockMethods):
    """The sandbox's time, which can be moved: a token's 30 minutes pass with one call."""

    __slots__ = ()

    def reset(self) -> None:
        """Resets it to the computer's clock."""
        self._native.method("set_time")


class Sandbox(SandboxFacts, SandboxMethods):
    """A survey platform that runs in this process and listens on the loopback interface only.

    It is strict: anything that is not in the service's contract is refused. Stop it with `stop()`, or use it in a `with`
    block.

    Args:
        content: `"waves"` adds two waves of an invented survey of library visitors, in several languages, with what real surveys have;
            see `survey_ids`. The newer one is `survey_id`, unless `surveys` has one.
        profile: The behaviour where nothing is published, by the names of the settings: `{"firstPage": 0}`.
        seed: The seed of the generated people and GUIDs.
        port: A fixed port for the demo account.
        first_member_id: The id of the first member.
        extra_members: Members to add to the demo's panel.
        generated_interviews: Adds a survey with this many interviews; see `generated_survey_id`.
        generated_questions: The number of questions of that survey.
        data: A CSV file with a row for each interview, as a survey of its own; see `data_survey_id`.
        code_plan: The code plan of that survey: a JSON file with the list `codePlan` of a response, or the whole response.
        surveys: Questionnaires in the form of the editor's export, a JSON file for each: surveys that can be answered with `fill`. The
            first is `survey_id`, and `survey_ids` has all of them.
        fill: How many invented people have answered each of `surveys` at the start. It is content of a new `state`.
        secret: A fixed client secret of the demo account, 8 characters or more. Default: a new one in each sandbox.
        state: A folder in which the sandbox is kept: content, credentials, addresses and clock are the same again in the next one with this
            folder. Each change is written before its response. Settings that make content are those of a new folder.
    """

    survey_ids: dict[str, int]
    """The surveys of `content` and `surveys`: their ids by their names, which are those of the files."""

    clock: Clock
    """The clock, which can be moved."""
    ledger: Ledger
    """The requests that arrived, and their effects."""
    deliveries: Deliveries
    """Deliveries to subscribers of webhooks, made and pending."""

    def __init__(
        self,
        *,
        content: Content | None = None,
        profile: Mapping[str, Any] | None = None,
        seed: int | None = None,
        port: int | None = None,
        first_member_id: int | None = None,
        extra_members: int | None = None,
        generated_interviews: int | None = None,
        generated_questions: int | None = None,
        data: Path | None = None,
        code_plan: Path | None = None,
        surveys: Sequence[Path] | None = None,
        fill: int | None = None,
        secret: str | None = None,
        state: Path | None = None,
        _frames: list[dict[str, Any]] | None = None,
    ) -> None:
        settings = {name: value for name, value in locals().items() if name not in ("self", "_frames") and value is not None}
        settings.update((name, fsencode(settings[name])) for name in ("data", "code_plan", "state") if name in settings)
        if surveys is not None:
            paths = [surveys] if isinstance(surveys, (str, bytes, PathLike)) else surveys
            settings["surveys"] = [fsencode(path) for path in paths]
        self._native = make("sandbox", wire(settings) | ({} if _frames is None else {"frames": _frames}))
        facts = loads(self._native.method("facts"))
        for name in SandboxFacts.__annotations__.keys() & facts.keys():
            setattr(self, name, facts[name])
        self.survey_ids = facts["survey_ids"]
        self.clock = Clock(self._native)
        self.deliveries = Deliveries(self._native)
        self.ledger = Ledger(self._native)

    @classmethod
    def demo(cls, content: Content = "demo") -> Sandbox:
        """One with the demo seed: three accounts, panels, a real survey.

        Args:
            content: `"waves"` adds two waves of an invented survey of library visitors, in several languages, with what real surveys
                have: "not available", texts beside choices, matrices, conditions, weights, unfinished interviews. The newer one is
                `survey_id`, and `survey_ids` has both.
        """
        return cls(content=content)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        labels: Mapping[str, Mapping[Any, str]] | None = None,
        questions: Mapping[str, str] | None = None,
        name: str = "Frame",
        **options: Any,
    ) -> Sandbox:
        """One with the rows of a data frame as a survey of completed interviews: the inverse of a table with labels. It is
        `survey_id`, also with `surveys`.

        A column of categories is a single choice: its categories are the labels, in their order, with the codes 1, 2, .... The
        columns `Id`, `State`, `Language`, `StartDate`, `EndDate` and `UpdatedAt` are the service's.

        Args:
            frame: A frame of pandas or polars, a mapping of columns, or rows as mappings.
            labels: Codes and labels by column, in the order of the questionnaire. The column then holds these codes; one without a
                label stays a code, and a label that nobody chose stays a label.
            questions: The texts of questions by column. Default: the names of the columns.
            name: The name of the survey.
            options: As for `Sandbox`.
        """
        from ._frames import columns_of

        columns = columns_of(frame, labels or {}, questions or {})
        return cls(**options, _frames=[{"name": name, "columns": columns}])

    def client(self, **settings: Unpack[ClientSettings]) -> Client:
        """A client of the demo account. Settings for `Client` can be added or replaced."""
        from ._blocking_client import Client

        return self._made(Client, settings)

    def async_client(self, **settings: Unpack[ClientSettings]) -> AsyncClient:
        """A client of the demo account for asyncio."""
        from ._async_client import AsyncClient

        return self._made(AsyncClient, settings)

    def _made(self, kind: type[T], settings: Any) -> T:
        names = ("base_url", "auth_url", "tenant", "client_id", "client_secret")
        try:
            return kind(**{name: getattr(self, name) for name in names} | settings)
        finally:
            settings.clear()

    def __repr__(self) -> str:
        return f"<sondage.Sandbox tenant={self.tenant} base_url={self.base_url}>"

    def fault(
        self,
        on: str,
        action: FaultAction | None = None,
        *,
        times: int | None = 1,
        skip: int = 0,
        delay: float = 0.0,
        after_effect: bool = False,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        body: str | None = None,
        cut: CutPoint | None = None,
        reset: bool = False,
        total_count: int | None = None,
        refuse: tuple[str, str] | None = None,
    ) -> Fault:
        """Injects a fault into future calls; the result counts the calls that it has hit.

        Args:
            on: The operation that it hits, `token`, `*` for every call, or `connection`.
            action: A fault without parameters: `stall`, `html`, `gzipBomb`, ...
            times: How many calls are hit; `None` for every one.
            skip: How many calls pass first.
            delay: Seconds to wait before anything else happens.
            after_effect: Whether the call takes effect although its response does not say so.
            status: Responds with this HTTP status.
            headers: The headers of that response.
            body: The body of that response; without `status`, JSON with status 200.
            cut: When to close the connection.
            reset: Whether to close it with a reset.
            total_count: A wrong `totalCount`.
            refuse: Responds with `isSuccess: false`, this code and this message.
        """
        what: dict[str, Any] = {"kind": action or "delay"}
        if status is not None:
            what = {"kind": "status", "status": status, "headers": dict(headers or {}), "body": body}
        elif body is not None:
            what = {"kind": "body", "text": body}
        elif cut is not None:
            what = {"kind": "cut", "at": cut, "reset": reset}
        elif total_count is not None:
            what = {"kind": "totalCount", "value": total_count}
        elif refuse is not None:
            what = {"kind": "notSuccess", "errorCode": refuse[0], "errorMessage": refuse[1]}
        fault = {"on": on, "skip": skip, "times": times, "delayMs": round(delay * 1000), "afterEffect": after_effect}
        return Fault(self._native.method("fault", {**fault, "action": what}))

    def fill(
        self, survey_id: int, people: int = 100, *, seed: int | None = None, unfinished: float = 0.05
    ) -> list[str]:
        """Lets invented people answer a published survey, and returns the ids of their interviews: first those who were invited and
        have not answered, then others through its public link.

        They see what the conditions show them, keep to types, choices and ranges, choose unevenly, leave questions out, answer "not
        available" where that is offered, and write beside choices.

        Args:
            survey_id: The survey.
            people: How many people.
            seed: The same seed, survey and time of the sandbox make the same interviews. Without one their ids are unguessable.
            unfinished: The share of those who stop early, from 0 to 1: their interviews stay `InProgress`.
        """
        options = {"surveyId": survey_id, "people": people, "seed": seed, "unfinished": unfinished}
        ids: list[str] = self._native.method("fill", options)
        return ids

    def answer(self, survey_id: int, rows: Iterable[Mapping[str, Any]]) -> list[str]:
        """Adds interviews with these answers to a published survey, and returns their ids.

        The error names every row and column that the survey does not accept, such as answers to questions that are not shown, at most 20
        of them; then nothing was added. `box.set_profile({"acceptedAnswers": "any"})` stores everything.

        Args:
            survey_id: The survey.
            rows: A row for each person: answers by the codes of the survey's columns. The columns `State` (default: `Completed`) and
                `Language` are the interview's own.
        """
        from ._errors import InvalidArgument

        given = None if isinstance(rows, str) or not hasattr(rows, "__iter__") else list(rows)
        if given is None:
            raise InvalidArgument(f"rows must be a list of mappings, not {type(rows).__name__}. Nothing was changed")
        for number, row in enumerate(given):
            if not hasattr(row, "items"):
                raise InvalidArgument(f"rows[{number}] must be a mapping, not {type(row).__name__}. Nothing was changed")
        ids: list[str] = self._native.method("answer", {"surveyId": survey_id, "rows": [dict(row) for row in given]})
        return ids

    def snapshot(self, folder: Path) -> None:
        """Writes a copy of the sandbox to a folder, which is created if it is missing: content, credentials and clock. An earlier copy in
        it is replaced. `Sandbox(state=folder)` continues with it.
        """
        self._native.method("snapshot", fsencode(folder))

    def restore(self, folder: Path) -> None:
        """Goes back to a copy that `snapshot` wrote, of this sandbox or of one with the same content at its start. Credentials, addresses
        and tokens stay, undelivered events are dropped. After an error nothing was changed.
        """
        self._native.method("restore", fsencode(folder))

    def emit(self, kind: Cause, **facts: Unpack[Facts]) -> bool:
        """Triggers an event of the platform, which is delivered to its subscribers.

        `False` if there is no such interview, member or survey. The error names the answers that the survey does not accept, as in `answer`.

        Args:
            kind: What happens: `complete` (an interview, by its `id`, with `answers`), `bounce`, `optOut`, `optIn`,
                `removeMember` (by `member_id`), `updateMember` (with `fields`), `closeSurvey`, `requestApproval`, `approve`
                (by `survey_id`), or any `event` (`event_type`, `entity_identifier`, `entity`).
            facts: The fields of the event, as above.
        """
        emitted: bool = self._native.method("emit", {"kind": kind, **wire({**facts})})
        return emitted

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _rows(cls: Any, text: str) -> list[Any]:
    from ._model import told

    return [told(cls, row) for row in loads(text)]
