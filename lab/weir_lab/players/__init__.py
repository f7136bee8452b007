"""Players that are programs of others: kept outside any checkout, run in the guest as they are."""

from weir_lab.players.fetch import ALL, fetch
from weir_lab.players.kept import installed, lacking, native, needed_by, node, root

__all__ = ["ALL", "fetch", "installed", "lacking", "native", "needed_by", "node", "root"]
