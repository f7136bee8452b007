"""Options of a congestion control: the parameters of its module, which is built into the kernel."""

from __future__ import annotations

import os

from weir_lab.guest import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_lab.wiring import Group

PROGRAM = "module"
SYSFS = "/run/sysfs"


def set_option(line: str) -> None:
    """Apply `control.option=value`. Raises RuntimeError for what the control has not or refuses."""
    name, _, value = line.partition("=")
    control, _, option = name.partition(".")
    path = f"server.congestion_control_options.{option}"
    there = options_of(control)
    if option not in there:
        has = f"its options are {', '.join(sorted(there))}" if there else "it has no options"
        raise RuntimeError(f"{path}: {control} has no such option; {has}")
    try:
        fd = os.open(there[option], os.O_WRONLY)
        os.write(fd, value.encode())
        os.close(fd)
    except OSError as error:
        raise RuntimeError(
            f"{path}: {control} refuses {value} ({error.strerror}); write another value"
        ) from error


def applied(groups: list[Group]) -> dict[str, str]:
    """What the kernel says of each option that these set, by its name."""
    found = {}
    for line in [line for _, program, lines in groups if program == PROGRAM for line in lines]:
        control, _, option = line.partition("=")[0].partition(".")
        with open(options_of(control)[option]) as file:
            found[option] = file.read().strip()
    return found


def options_of(control: str) -> dict[str, str]:
    """Files of a control's options by name; those that can be read alone are none."""
    if not os.path.exists(SYSFS):
        os.mkdir(SYSFS)
        system.mount("none", SYSFS, "sysfs")
    # Linux's own are named after their files.
    for module in (control, f"tcp_{control}"):
        folder = f"{SYSFS}/module/{module}/parameters"
        if os.path.isdir(folder):
            files = {name: f"{folder}/{name}" for name in os.listdir(folder)}
            return {name: file for name, file in files.items() if os.stat(file).st_mode & 0o200}
    return {}
