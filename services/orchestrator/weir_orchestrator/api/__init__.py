"""The HTTP API and the web pages: a folder per noun, with endpoints, service and schemas."""
