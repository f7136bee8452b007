"""The platform's processes: API, housekeeper and workers, and the supervisor over them."""
