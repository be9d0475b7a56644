#!/bin/sh
# SPDX-License-Identifier: MIT
# What `perf data convert` writes has the samples, stacks, names and times that its JSON has, and the
# programs that the formats are for can read it.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/live/in-python
. "$here/in-python"
python3 -B "$here/exports.py"
