"""The devices that queues stand on, as the lab names them.

`WAN` leads from the gateway to the server, `HOME` (a bridge of the home network's ports) to the
clients; `EDGE` is the only one of a server or a client.
"""

from __future__ import annotations

HOME = "neck0"
WAN = "wan"
EDGE = "eth0"
