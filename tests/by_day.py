"""by_day: a part of a test's cases, another part each day (UTC); the whole list with TACIT_LONG=1 in the environment."""

import os
import time


def of_today(cases, parts):
    """Returns every parts-th case, and prints the choice. The day chooses the first one."""
    cases = list(cases)
    if os.environ.get("TACIT_LONG", "0") not in ("", "0"):
        return cases
    chosen = cases[int(time.time()) // 86400 % parts::parts]
    print(f"by the day: {chosen} of {cases}; TACIT_LONG=1 runs all", flush=True)
    return chosen
