"""Apache as a cell's HTTP server."""

from __future__ import annotations

import os

# The prefork module gives each persistent connection a process that blocks in its own
# send: the fewest system calls per segment of Apache's three modules.
PREFORK = """\
LoadModule mpm_prefork_module /usr/lib/apache2/modules/mod_mpm_prefork.so
StartServers 3
MinSpareServers 1
MaxSpareServers 64
ServerLimit 128
MaxRequestWorkers 128"""
# mod_http2 does nothing under prefork: it answers each stream in a thread of its own.
HTTP2 = """\
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule http2_module /usr/lib/apache2/modules/mod_http2.so
Protocols h2c
StartServers 1
ServerLimit 1
ThreadLimit 128
ThreadsPerChild 128
MaxRequestWorkers 128"""
CONFIG = """\
ServerRoot /run
ServerName weir
PidFile /run/apache.pid
DefaultRuntimeDir /run
Mutex posixsem
%(model)s
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
User nobody
Group nogroup
Listen 0.0.0.0:80
KeepAlive On
KeepAliveTimeout 3600
MaxKeepAliveRequests 0
Timeout 3600
EnableSendfile On
ErrorLog /run/apache.log
LogLevel crit
DocumentRoot %(root)s
%(headers)s"""
NOT_STORED = """\
LoadModule headers_module /usr/lib/apache2/modules/mod_headers.so
Header set Cache-Control no-store
"""


def become(root: str, http_version: str, stored: bool = True) -> None:
    """Replace this process by Apache serving `root`, as `weir_server.nginx.become` does."""
    model = {"1.1": PREFORK, "2": HTTP2}[http_version]
    headers = "" if stored else NOT_STORED
    with open("/run/apache.conf", "w") as file:
        file.write(CONFIG % {"root": root, "model": model, "headers": headers})
    os.execv("/usr/sbin/apache2", ["apache2", "-f", "/run/apache.conf", "-DFOREGROUND"])
