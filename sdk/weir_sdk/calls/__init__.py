"""The API's operations as `Call`s, a file per noun; named as in the OpenAPI document."""
