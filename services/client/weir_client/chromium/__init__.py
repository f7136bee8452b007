"""Chromium as a player in a lab kernel: an unmodified browser, told what to do by its DevTools."""
