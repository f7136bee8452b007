"""nginx as a cell's HTTP server."""

from __future__ import annotations

import os

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
    server { listen 80; root %s; }
}
"""


def become(root: str) -> None:
    """Replace this process by nginx serving `root`. Does not return."""
    with open("/run/nginx.conf", "w") as file:
        file.write(CONFIG % root)
    os.execv("/usr/sbin/nginx", ["nginx", "-c", "/run/nginx.conf", "-e", "stderr"])
