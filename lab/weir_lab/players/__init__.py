"""Players that are programs of others: kept outside any checkout, run in the guest as they are."""

from weir_lab.players.fetch import fetch
from weir_lab.players.kept import addon, installed, lacking, needed_by, node, root

__all__ = ["addon", "fetch", "installed", "lacking", "needed_by", "node", "root"]
