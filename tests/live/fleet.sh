#!/bin/sh
# SPDX-License-Identifier: MIT
# Pushed data is the same in SQLite, PostgreSQL and ClickHouse: names with a special meaning in SQL,
# two pushes at once, servers that are killed during a push.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/live/in-python
. "$here/in-python"
python3 -B "$here/fleet.py" "$here/../fixtures" "$@"
