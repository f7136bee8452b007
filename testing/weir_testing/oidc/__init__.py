"""A real OpenID Connect provider on loopback (npm's oidc-provider), and a browser that uses it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

import httpx2

from weir_testing.servers.folder import scratch
from weir_testing.servers.process import ServerProcess, free_port

HERE = Path(__file__).parent
CLIENT_ID = "weir"
CLIENT_SECRET = "the-client-secret-of-the-tests"
_FORM = re.compile(r'<form[^>]* action="([^"]+)"')


@dataclass(frozen=True)
class Provider:
    issuer: str

    def sign_in(self, url: str, name: str, callback: str) -> str:
        """What a browser does from the authorization URL on: log in as `name`, consent.

        Returns the URL of the callback that the provider sends the browser back to.
        """
        with httpx2.Client() as browser:
            answer = browser.get(url)
            for _ in range(20):
                if answer.is_redirect:
                    url = urljoin(str(answer.url), answer.headers["location"])
                    if url.startswith(callback):
                        return url
                    answer = browser.get(url)
                    continue
                answer.raise_for_status()
                form = _FORM.search(answer.text)
                assert form is not None, answer.text
                prompt = "login" if 'name="login"' in answer.text else "consent"
                fields = {"prompt": prompt, "login": name, "password": "any"}
                answer = browser.post(urljoin(str(answer.url), form[1]), data=fields)
        raise AssertionError("the provider did not send the browser back")


@contextmanager
def run(callback: str) -> Iterator[Provider]:
    """The provider, which knows one client with that callback.

    Raises RuntimeError when it cannot be installed or does not start.
    """
    with scratch() as folder:
        for name in ("package.json", "package-lock.json", "provider.mjs"):
            shutil.copy(HERE / name, folder)
        npm = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
        done = subprocess.run(npm, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"npm ci: {done.stderr}")
        port = free_port()
        process = ServerProcess(
            ["node", "provider.mjs", str(port), CLIENT_ID, CLIENT_SECRET, callback],
            folder / "log.txt",
            ready=lambda: _answers(port),
        )
        process.start()
        try:
            yield Provider(f"http://127.0.0.1:{port}")
        finally:
            process.kill()


def _answers(port: int) -> bool:
    try:
        return httpx2.get(f"http://127.0.0.1:{port}/.well-known/openid-configuration").is_success
    except httpx2.TransportError:
        return False
