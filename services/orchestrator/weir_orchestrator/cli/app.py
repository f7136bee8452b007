"""The command itself: subcommands put together, errors turned into exit codes."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from typing import Annotated, Any, Final

import typer
from pydantic import ValidationError
from typer.exceptions import Abort, Exit, TyperException
from weir.errors import SpecError, WeirError
from weir_engine.errors import BadInput, CannotRun, is_disk_full

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import errors
from weir_orchestrator.cli.local import (
    bench,
    diff,
    distance,
    doctor,
    export,
    kernel,
    oracle,
    player,
    regress,
    replay,
    report,
    run_campaign,
    schema,
    show,
    status,
    trace,
    validate,
    whatif,
)
from weir_orchestrator.cli.platform import admin, db, dispatch, up, worker
from weir_orchestrator.cli.remote import (
    baseline,
    bisect,
    ci,
    compare,
    fetch,
    history,
    login,
    ls,
    reproduce,
    submit,
    watch,
)

__all__ = ["app", "run"]

_COMMANDS: Final[tuple[tuple[str, Any], ...]] = (
    ("doctor", doctor.doctor),
    ("validate", validate.validate),
    ("run", run_campaign.run),
    ("status", status.status),
    ("report", report.report),
    ("distance", distance.distance),
    ("regress", regress.regress),
    ("show", show.show_run),
    ("replay", replay.replay),
    ("diff", diff.diff),
    ("whatif", whatif.whatif),
    ("oracle", oracle.oracle),
    ("export", export.export),
    ("schema", schema.schema),
    ("trace", trace.trace),
    ("bench", bench.bench),
    ("up", up.up),
    ("worker", worker.worker),
    ("dispatch", dispatch.dispatch),
    ("login", login.login),
    ("logout", login.logout),
    ("submit", submit.submit),
    ("watch", watch.watch),
    ("ls", ls.ls),
    ("logs", ls.logs),
    ("fetch", fetch.fetch),
    ("reproduce", reproduce.reproduce),
    ("ci", ci.ci),
    ("compare", compare.compare),
    ("history", history.history),
    ("baseline", baseline.baseline),
    ("bisect", bisect.bisect),
)

_CODES: Final = (
    (SpecError, exits.BAD_INPUT),
    (BadInput, exits.BAD_INPUT),
    (CannotRun, exits.CANNOT),
)

app = typer.Typer(
    name="weir",
    help="Experiments on HTTP adaptive streaming over shaped networks, in virtual time.",
    epilog=exits.HELP,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for _name, _command in _COMMANDS:
    app.command(_name, epilog=exits.HELP)(_command)
app.add_typer(kernel.app, name="kernel")
app.add_typer(player.app, name="player")
app.add_typer(db.app, name="db")
app.add_typer(admin.app, name="admin")


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"weir {importlib.metadata.version('weir')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def run(arguments: list[str]) -> int:
    """Carry out a command line; its exit code. No traceback for what a user can mend."""
    if importlib.util.find_spec("weir_lab_kernel"):
        from weir_engine import ready_made  # noqa: PLC0415 - imports the lab

        ready_made.use()
    try:
        code = app(arguments, prog_name="weir", standalone_mode=False)
    except Exit as end:
        return end.exit_code
    except (Abort, KeyboardInterrupt):
        errors("interrupted")
        return exits.INTERRUPTED
    except TyperException as error:
        errors(_of_usage(error))
        return exits.BAD_INPUT
    except WeirError as error:
        errors(str(error))
        return next((code for kind, code in _CODES if isinstance(error, kind)), exits.NOT_GOOD)
    except OSError as error:
        return _of_system(error)
    return code if isinstance(code, int) else exits.OK


def _of_usage(error: TyperException) -> str:
    """What is wrong with a command line: option, value, what is allowed, where to read on."""
    said = error.format_message().rstrip(".")
    refused = error.__cause__
    if isinstance(error, typer.BadParameter) and isinstance(refused, ValidationError):
        first = refused.errors()[0]
        option = error.param.get_error_hint() if error.param else "option"
        said = (
            f"{option}: {first['input']} — {first['msg'].removeprefix('Value error, ').rstrip('.')}"
        )
    context = getattr(error, "ctx", None)
    return f"{said}; see `{context.command_path if context else 'weir'} --help`"


def _of_system(error: OSError) -> int:
    if isinstance(error, BrokenPipeError):
        return exits.OK
    if isinstance(error, PermissionError | IsADirectoryError | NotADirectoryError):
        errors(f"{error.filename}: {error.strerror}; name another place")
        return exits.BAD_INPUT
    if is_disk_full(error):
        errors(f"no space left for {error.filename or 'the output'}: make room and try again")
        return exits.CANNOT
    raise error
