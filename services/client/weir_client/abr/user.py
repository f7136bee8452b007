"""A user's own ABR, brought as source text, run so that its mistakes name themselves.

Under the virtual clock no timer fires while Python computes, so an endless loop is caught by
counting executed lines. What loops inside one C call (`sum(itertools.count())`) is not seen here;
the run's wall-clock limit ends that.
"""

from __future__ import annotations

import gc
import sys

from weir_client.errors import MOST_CHARACTERS, TRACEBACK, AbrError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType
    from typing import Any

    from weir.resolved import ClientSource

    from weir_client.state import State

LINES_PER_DECISION = 2_000_000
ONLY_AST = 0x400  # ast.PyCF_ONLY_AST, without importing ast
MOST_FRAMES = 20


class TooManyLines(BaseException):
    """Not an Exception: a user's `except Exception` must not eat it."""


class UserAbr:
    """The player's view of a user's object. Every mistake in it raises AbrError."""

    def __init__(
        self, source: ClientSource, ladder: Sequence[float], options: dict[str, Any],
        number: int, budget: int = LINES_PER_DECISION,
    ) -> None:  # fmt: skip
        self._file: str = source["name"]
        self._number = number
        self._budget = budget
        self._segment = 0
        self._by_opcode = False
        made = self._guarded("load", lambda: self._make(source, ladder, options))
        self._choose: Callable[[State], int] = made.choose
        self._object = made
        if hasattr(made, "delay_s"):
            self.delay_s = self._delay_s  # only then, since the player asks whether there is one

    @property
    def estimate_bps(self) -> float | None:
        """The user's estimate if it is a number, else None."""
        value = getattr(self._object, "estimate_bps", None)
        return value if type(value) in (int, float) else None

    def choose(self, state: State) -> int:
        """Return what the user's choose() does, unchecked."""
        self._segment = state.segment
        level: int = self._guarded("choose", lambda: self._choose(state))
        return level

    def _delay_s(self, state: State) -> float:
        delay: float = self._guarded("delay_s", lambda: self._object.delay_s(state))
        return delay

    def _make(self, source: ClientSource, ladder: Sequence[float], options: dict[str, Any]) -> Any:
        names: dict[str, Any] = {"__name__": "weir_user_abr", "__file__": self._file}
        tree = compile(source["text"], self._file, "exec", ONLY_AST)
        self._by_opcode = _has_empty_loop(tree)
        exec(compile(tree, self._file, "exec"), names)
        return _class_in(names, source.get("class"), self._file)(ladder, options)

    def _guarded(self, what: str, call: Callable[[], Any]) -> Any:
        left = self._budget
        when = "" if what == "load" else f" for segment {self._segment}"
        doing = f"{self._file}: {what}{when} of client {self._number}"

        def trace(frame: FrameType, event: str, argument: object) -> Any:
            nonlocal left
            if event == "call":
                frame.f_trace_opcodes = self._by_opcode
            left -= 1
            if left < 0:
                raise TooManyLines
            return trace

        # A collection of garbage that began in here would run other objects' callbacks on this
        # budget.
        before, collects = sys.gettrace(), gc.isenabled()
        gc.disable()
        sys.settrace(trace)
        try:
            return call()
        except TooManyLines:
            raise AbrError(
                f"{doing} ran more than {self._budget:,} lines (does it loop?)"
            ) from None
        except AbrError:
            raise
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            line = _line_of(error, self._file)
            raise AbrError(f"{doing} raised {type(error).__name__}: {error}{line}") from error
        finally:
            sys.settrace(before)
            if collects:
                gc.enable()


def traceback_of(error: Exception, source: ClientSource) -> str:
    """Where in the user's file it went wrong, as Python tells it; empty where that is not known."""
    import linecache  # noqa: PLC0415 (they cost time, and only a run that failed has need of them)
    import traceback  # noqa: PLC0415

    cause = error.__cause__ or error.__context__
    if cause is None:
        return ""
    file, text = source["name"], source["text"]
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    frames = traceback.extract_tb(cause.__traceback__)
    own = [number for number, frame in enumerate(frames) if frame.filename == file]
    if not own and not isinstance(cause, SyntaxError):
        return ""
    shown = frames[own[0] : own[-1] + 1][-MOST_FRAMES:] if own else []
    wrong = [f"{error}\n"]
    if not isinstance(cause, TooManyLines):
        wrong = traceback.format_exception_only(cause)
    said = "".join([*traceback.format_list(shown), *wrong])
    return TRACEBACK + said[-MOST_CHARACTERS:]


def _class_in(names: Mapping[str, Any], wanted: str | None, file: str) -> Any:
    own = {
        name: value
        for name, value in names.items()
        if isinstance(value, type) and hasattr(value, "choose")
        and value.__module__ == names["__name__"]
    }  # fmt: skip
    if wanted is not None and wanted in own:
        return own[wanted]
    if wanted is None and len(own) == 1:
        return next(iter(own.values()))
    known = ", ".join(own) or "none"
    if wanted is not None:
        raise AbrError(f"{file}: no class {wanted} with a method choose; there are: {known}")
    raise AbrError(
        f"{file}: one class with a method choose is needed, found: {known}; "
        f"name one as {file}:Class"
    )


def _has_empty_loop(node: Any) -> bool:
    """Whether a `while` has an empty body: CPython 3.11 reports no lines for `while True: pass`."""
    if type(node).__name__ == "While" and all(
        type(part).__name__ in ("Pass", "Continue", "Expr") for part in node.body
    ):
        return True
    return any(
        _has_empty_loop(child)
        for field in getattr(node, "_fields", ())
        for child in _as_list(getattr(node, field, None))
    )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _line_of(error: BaseException, file: str) -> str:
    if isinstance(error, SyntaxError):
        return f" (line {error.lineno})"
    trace, line = error.__traceback__, ""
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = f" (line {trace.tb_lineno})"
        trace = trace.tb_next
    return line
