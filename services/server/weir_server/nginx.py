"""nginx as a cell's HTTP server."""

from __future__ import annotations

import os

PROGRAM = "/usr/sbin/nginx"
OWN_DIRECTIVE = (1, 25, 1)  # since then HTTP/2 is no parameter of `listen`
CONFIG = """\
daemon off;
master_process off;
pid /run/nginx.pid;
error_log stderr error;
events { worker_connections 512; }
http {
    access_log off;
    sendfile on;
    tcp_nodelay on;
    keepalive_timeout 3600;
    keepalive_requests 1000000;
    client_body_temp_path /run/nginx-body;
    proxy_temp_path /run/nginx-proxy;
    fastcgi_temp_path /run/nginx-fastcgi;
    uwsgi_temp_path /run/nginx-uwsgi;
    scgi_temp_path /run/nginx-scgi;
    server { %(listen)s root %(root)s; %(headers)s%(origin)s}
}
"""
# Not buffered, what comes goes on at once. A buffer holds a chunk, so that it is one of HTTP's.
ORIGIN = """
        location ~ \\.m4s$ {
            proxy_pass http://unix:/run/origin:;
            proxy_buffering off;
            proxy_buffer_size 1m;
            proxy_buffers 4 1m;
        }
    """


def become(root: str, http_version: str, stored: bool = True, live: bool = False) -> None:
    """Replace this process by nginx serving `root`, where live with segments of the origin.

    stored: whether clients may keep what they are sent. Does not return.
    """
    listen = "listen 80;" if http_version == "1.1" else http2(version())
    values = {
        "root": root,
        "listen": listen,
        "headers": "" if stored else "add_header Cache-Control no-store; ",
        "origin": ORIGIN if live else "",
    }
    with open("/run/nginx.conf", "w") as file:
        file.write(CONFIG % values)
    os.execv(PROGRAM, ["nginx", "-c", "/run/nginx.conf", "-e", "stderr"])


def http2(version: tuple[int, ...]) -> str:
    """The directives by which this version of nginx takes HTTP/2 without TLS."""
    return "listen 80; http2 on;" if version >= OWN_DIRECTIVE else "listen 80 http2;"


def version() -> tuple[int, ...]:
    """That of the nginx that is installed."""
    reading, writing = os.pipe()
    says = [(os.POSIX_SPAWN_DUP2, writing, 2), (os.POSIX_SPAWN_CLOSE, reading)]
    pid = os.posix_spawn(PROGRAM, ["nginx", "-v"], {}, file_actions=says)
    os.close(writing)
    said = os.read(reading, 4096)  # nginx version: nginx/1.22.1
    os.waitpid(pid, 0)
    os.close(reading)
    return tuple(int(part) for part in said.split(b"/")[1].split()[0].split(b"."))
