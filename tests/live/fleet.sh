#!/bin/sh
# SPDX-License-Identifier: MIT
# What is pushed to SQLite, PostgreSQL and ClickHouse is the same in all of them: names that mean
# something to SQL, two pushes at once, servers that are killed in the middle of one.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/live/in-python
. "$here/in-python"
python3 -B "$here/fleet.py" "$here/../fixtures" "$@"
