"""Apache as a cell's HTTP server."""

from __future__ import annotations

import os

# The prefork module gives each persistent connection a process that blocks in its own
# send: the fewest system calls per segment of Apache's three modules.
CONFIG = """\
ServerRoot /run
ServerName weir
PidFile /run/apache.pid
DefaultRuntimeDir /run
Mutex posixsem
LoadModule mpm_prefork_module /usr/lib/apache2/modules/mod_mpm_prefork.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
User nobody
Group nogroup
Listen 0.0.0.0:80
StartServers %(processes)d
MinSpareServers 1
MaxSpareServers 64
ServerLimit 128
MaxRequestWorkers 128
KeepAlive On
KeepAliveTimeout 3600
MaxKeepAliveRequests 0
Timeout 3600
EnableSendfile On
ErrorLog /run/apache.log
LogLevel crit
DocumentRoot %(root)s
"""


def become(root: str) -> None:
    """Replace this process by Apache serving `root`. Does not return."""
    with open("/run/apache.conf", "w") as file:
        file.write(CONFIG % {"root": root, "processes": 3})
    os.execv("/usr/sbin/apache2", ["apache2", "-f", "/run/apache.conf", "-DFOREGROUND"])
