"""The real clock: a cell in one lab kernel of this machine, or one per host, joined by L2TPv3 over
UDP. Each is run by an agent.

An agent (agent.py) stands where its host is to be, as a container or a pod, or has the whole cell
as a process of this machine. conduct.py gives each agent its part of the plan over HTTP and has all
of them start on a common instant; merge.py makes one result of what they hand over. Machines'
clocks must agree (NTP).
"""
