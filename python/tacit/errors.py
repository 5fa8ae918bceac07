"""The exceptions of tacit. A message states the failure and its place, the expectation, and a remedy."""


class Error(Exception):
    """The base of the errors of tacit.

    ``detail`` is for this rank's own user, may contain a value of this rank's own data, and is often empty. ``culprit`` is
    the rank at fault, or None.
    """

    detail: str = ""
    culprit: "int | None" = None


class ConfigError(Error, ValueError):
    """An error that you can fix: an argument, a file, a key, an address, a range."""


class NetError(Error, ConnectionError):
    """A peer, a link or a time-out. The same program may succeed when it is started again."""


class ProtocolError(Error):
    """A peer deviated from the protocol, or runs a different program."""
