"""What can go wrong in a client.

ClientError
+-- AbrError        the ABR raised, looped or answered nonsense
+-- ServerError     the server refuses a segment again and again
+-- ContentError    the content has nothing to play
TimeIsUp            not an error: the client's stop time has come
"""

from __future__ import annotations

TRACEBACK = "Traceback (most recent call last):\n"
"""The line that parts, in what a client says of its end, the reason from where it was."""
MOST_CHARACTERS = 8000
"""Of each of both: whoever reads it takes 64 KiB, and a character may have four bytes."""


class ClientError(Exception):
    """The client cannot go on; str() is for the person who runs the experiment."""


class AbrError(ClientError):
    """The ABR raised, looped or answered nonsense."""


class ServerError(ClientError):
    """The server refuses a segment again and again."""


class ContentError(ClientError):
    """The content has nothing to play."""


class TimeIsUp(BaseException):
    """The stop time has come. Not an Exception: a user's `except Exception` must not eat it."""
