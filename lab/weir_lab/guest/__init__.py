"""What runs inside the lab kernel: wiring a cell, starting its roles, ending it.

Programs here start fast on purpose: they import little, and every system call costs
some 40 microseconds of real time (lab kernels are slow there), so they make few. A module more
or less to import also moves the virtual clock by some nanoseconds, and with it which of two
clients that stop at the same instant is the first.
"""
