#!/bin/sh
# SPDX-License-Identifier: MIT
# Data sent by `perf push` arrives exactly once: recordings that are equal, pushes that are killed, parcels that a store
# refuses, stores that never answer.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/live/in-python
. "$here/in-python"
python3 -B "$here/push.py" "$@"
