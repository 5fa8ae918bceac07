"""Writes tables as TOML, which tomllib reads back as the same values."""

import os
import re

from tacit.errors import ConfigError

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_MOST = 2**63


def plain(value, where):
    """``value`` in the types of TOML: dict, list, str, bool, int, float. A copy, so that later changes do not reach it."""
    if hasattr(value, "dtype") and hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if hasattr(value, "items"):
        for key in value:
            if not isinstance(key, str):
                raise ConfigError(f"{where}: the key {key!r} is no text; expected the name of a setting")
        return {key: plain(one, f"{where}.{key}" if where else key) for key, one in value.items() if one is not None}
    if isinstance(value, (list, tuple)):
        return [plain(one, f"{where}[{number}]") for number, one in enumerate(value)]
    if isinstance(value, str):
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            raise ConfigError(f"{where}: the text has a surrogate, which UTF-8 cannot have; expected whole characters")
        return str(value)
    if isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        if not -_MOST <= value < _MOST:
            raise ConfigError(f"{where} is {value}; expected a number of at most 64 bits")
        return int(value)
    raise ConfigError(f"{where} is of the type {type(value).__name__}; expected text, a number, true or false, a list or a "
                      f"table (dict)")


def _text(value):
    return '"' + "".join(_SHORT.get(c) or (f"\\u{ord(c):04x}" if ord(c) < 0x20 or ord(c) == 0x7f else c) for c in value) + '"'


def _key(key):
    return key if _BARE.match(key) else _text(key)


def _inline(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(key)} = {_inline(one)}" for key, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    return "[" + ", ".join(map(_inline, value)) + "]"


def _is_list_of_tables(value):
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def dumps(tables):
    """The text of a TOML file. ``tables`` comes from ``plain``."""
    lines = []

    def write(path, table):
        inner = {key: one for key, one in table.items() if isinstance(one, dict) or _is_list_of_tables(one)}
        lines.extend(f"{_key(key)} = {_inline(one)}" for key, one in table.items() if key not in inner)
        for key, one in inner.items():
            name = ".".join(map(_key, [*path, key]))
            for item in one if isinstance(one, list) else [one]:
                lines.append(("" if not lines else "\n") + (f"[[{name}]]" if isinstance(one, list) else f"[{name}]"))
                write([*path, key], item)

    write([], tables)
    return "\n".join(lines) + "\n"
