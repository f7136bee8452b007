"""The real clock: a lab kernel per host, joined by L2TPv3 over UDP, each run by an agent.

An agent (agent.py) stands where its host is to be: a process of this machine, a container, a
pod. conduct.py gives each agent its part of the plan over HTTP and has all of them start on a
common instant; merge.py makes one result of what they hand over. Machines' clocks must agree (NTP).
"""
