#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that other people wrote read what `perf data convert` writes, and find the samples, stacks and
# names that its JSON has.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/live/in-python
. "$here/in-python"
python3 -B "$here/export-readers.py"
