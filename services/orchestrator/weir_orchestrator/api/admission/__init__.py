"""What a request must bring before it holds anything: its whole body, in time; and its fair place.

bodies -> shares -> the application. Connections and heads of requests: api/http_protocol.py.
"""
